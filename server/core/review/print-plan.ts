import { listText, objectName, objectText } from "./object-text.ts";
import type { ActionView, ChangeView, DependentView, PlanView } from "./plan-view.ts";

/** How parts of the text are set off; each gets and gives plain text where colours aren't wanted. */
export interface PrintStyle {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly mark: (kind: Mark, text: string) => string;
}

export type Mark = ChangeView["mark"] | "recreate" | "lost" | "kept" | "blocked";

export const plainStyle: PrintStyle = { strong: (text) => text, quiet: (text) => text, mark: (_kind, text) => text };

export interface PrintOptions {
  readonly style?: PrintStyle;
  /** Print every statement below its action. */
  readonly sql?: boolean;
}

const symbols: Readonly<Record<Mark, string>> = {
  create: "+",
  change: "~",
  replace: "+/-",
  drop: "-",
  recreate: "↻",
  lost: "✕",
  indirect: "»",
  metadata: "·",
  kept: "=",
  blocked: "✕",
};

/** A plan for a terminal or a log: counts, names, what stands in the way, what hangs on it, what is done. Ends in a line break. */
export function printPlan(view: PlanView, options: PrintOptions = {}): string {
  const style = options.style ?? plainStyle;
  const sections = [
    [style.strong(view.summary.line), ...(view.result === "empty" ? [] : [view.verdict])],
    changeLines(view, style),
    section(
      style,
      "Blocked by",
      view.blockers.map((blocker) => `${style.mark("blocked", symbols.blocked)} ${blocker.code}: ${blocker.sentence}`),
    ),
    section(
      style,
      "Hanging on it",
      view.dependents.flatMap((dependent) => dependentLines(dependent, style)),
    ),
    section(
      style,
      `Hazards (risk: ${view.risk.level})`,
      view.hazards.map((hazard) => `${hazard.severity} ${hazard.code}: ${hazard.sentence}`),
    ),
    section(
      style,
      "Actions",
      view.actions.flatMap((action) => actionLines(action, style, options.sql === true)),
    ),
    section(style, "Warnings", view.warnings),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function section(style: PrintStyle, title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [style.strong(title), ...lines.map((line) => `  ${line}`)];
}

const markOrder: readonly ChangeView["mark"][] = ["drop", "replace", "create", "change", "indirect", "metadata"];

/** Danger first; names under one another. */
function changeLines(view: PlanView, style: PrintStyle): readonly string[] {
  const width = Math.max(0, ...view.changes.map((change) => change.model.length));
  const kindWidth = Math.max(0, ...view.changes.map((change) => change.kind.length));
  return [...view.changes]
    .sort((a, b) => markOrder.indexOf(a.mark) - markOrder.indexOf(b.mark))
    .map((change) => {
      const mark = style.mark(change.mark, symbols[change.mark].padEnd(3));
      const why = [...change.reasons, ...columnWords(change)].join("; ");
      return `  ${mark} ${change.model.padEnd(width)}  ${change.kind.padEnd(kindWidth)}  ${style.quiet(why)}`.trimEnd();
    });
}

function columnWords(change: ChangeView): readonly string[] {
  if (change.change === "added" || change.change === "removed") return [];
  const { added, removed, retyped, reordered } = change.columns;
  return [
    ...(added.length === 0 ? [] : [`adds ${listText(added.map((column) => column.name))}`]),
    ...(removed.length === 0 ? [] : [`drops ${listText(removed.map((column) => column.name))}`]),
    ...(retyped.length === 0
      ? []
      : [`retypes ${listText(retyped.map((column) => `${column.name} from ${column.from} to ${column.to}`))}`]),
    ...(reordered ? ["reorders columns"] : []),
  ];
}

function dependentLines(dependent: DependentView, style: PrintStyle): readonly string[] {
  const mark: Mark =
    dependent.fate === "recreated" ? "recreate" : dependent.fate === "replaced" ? "replace" : dependent.fate;
  const whose = dependent.managed ? "" : "◇ ";
  const head = `${style.mark(mark, symbols[mark])} ${whose}${objectText(dependent.object)} (owner ${dependent.owner}) ${dependent.fate}: ${dependent.why}`;
  const uses = dependent.of.map((use) => {
    const columns = use.columns === "unknown" ? "columns unknown" : use.columns.join(", ");
    return `    reads ${objectName(use.object)} (${columns})`;
  });
  return [head, ...uses];
}

function actionLines(action: ActionView, style: PrintStyle, sql: boolean): readonly string[] {
  const why = action.whyNotLower.length === 0 ? "" : `, because ${action.whyNotLower.join("; ")}`;
  const head = `${action.id} ${action.stage.padEnd(10)} ${action.title}${style.quiet(why)}`;
  if (!sql) return [head];
  return [
    head,
    ...action.statements.flatMap((statement) => statement.sql.split("\n").map((line) => `      ${line}`.trimEnd())),
  ];
}
