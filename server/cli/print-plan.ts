import type { AffectedView, ChangeView, DependentView, PlanView } from "../core/review/plan-view.ts";
import { nextSteps } from "./next-steps.ts";
import { affectedText, columnsText, dependentText, originText, usesText } from "./object-text.ts";
import type { Paint, Tone } from "./paint.ts";
import { changeOrder, fateMarks, fateOrder, type Mark, marks, UNMANAGED } from "./plan-marks.ts";
import { printActions } from "./print-actions.ts";
import { wrapText } from "./wrap-text.ts";

export interface PlanPrintOptions {
  readonly paint: Paint;
  readonly width: number;
  /** Every action in order, with why nothing milder is legal. */
  readonly explain: boolean;
  /** With their SQL. */
  readonly verbose: boolean;
  /** What to type next: of no use to somebody who has typed it already. */
  readonly steps: boolean;
}

/** A plan for the terminal: the answer first, then every name, then what to type. */
export function printPlan(view: PlanView, options: PlanPrintOptions): string {
  const { paint, width } = options;
  const sections = [
    headline(view, options),
    section("Blocked", blockers(view, options), paint),
    section("Models", changes(view.changes, options), paint),
    section("Outside the project", outside(view.dependents, options), paint),
    section("Hazards", hazards(view, options), paint),
    section("Rows to fill", backfills(view, width), paint),
    section("Warnings", view.warnings.map((each) => `  ${wrapText(each, width, 2)}`).join("\n"), paint),
    options.explain ? section("Actions, in order", printActions(view.actions, options), paint) : "",
    footer(view, options),
  ];
  return sections.filter((each) => each !== "").join("\n\n");
}

function headline(view: PlanView, { paint, width }: PlanPrintOptions): string {
  const lines = [paint("strong", wrapText(view.summary.line, width, 0))];
  if (view.result === "empty") return lines.join("\n");
  lines.push(paint(verdictTone(view), wrapText(view.verdict, width, 0)));
  const { downtime, data, undo } = view.tiles;
  for (const [label, tile] of [
    ["downtime", downtime],
    ["data", data],
    ["outside", view.tiles.outside],
    ["undo", undo],
  ] as const) {
    const text = [tile.headline, tile.text].filter((each) => each !== "").join(": ");
    lines.push(`  ${paint("quiet", label.padEnd(9))} ${wrapText(text, width, 12)}`);
  }
  return lines.join("\n");
}

function verdictTone(view: PlanView): Tone {
  if (view.result === "blocked") return "blocked";
  return view.risk.level === "low" ? "good" : "replace";
}

function section(title: string, body: string, paint: Paint): string {
  return body === "" ? "" : `${paint("strong", title)}\n${body}`;
}

function blockers(view: PlanView, { paint, width }: PlanPrintOptions): string {
  return view.blockers
    .map(({ code, sentence, objects }) => {
      const head = `  ${paint("blocked", "!")} ${wrapText(sentence, width, 4)} ${paint("quiet", `[${code}]`)}`;
      return [head, ...affected(objects)].join("\n");
    })
    .join("\n");
}

function affected(objects: readonly AffectedView[]): readonly string[] {
  return objects.map((each) => `      ${affectedText(each)}`);
}

function changes(all: readonly ChangeView[], { paint, width, explain }: PlanPrintOptions): string {
  const names = Math.max(0, ...all.map((each) => each.model.length));
  const kinds = Math.max(0, ...all.map((each) => each.kind.length));
  const sorted = changeOrder.flatMap((mark) => all.filter((each) => each.mark === mark));
  return sorted
    .map((change) => {
      const mark = marks[change.mark];
      const head = `  ${markText(mark, paint)} ${change.model.padEnd(names)}  ${paint("quiet", change.kind.padEnd(kinds))}`;
      const reasons = [change.reasons.join("; "), originText(change)].filter((each) => each !== "").join(", ");
      const details = [columnChangesText(change), explain ? categoryText(change) : ""].filter((each) => each !== "");
      const beside = 2 + MARK_WIDTH + 1 + names + 2 + kinds + 2;
      const fits = width - beside >= reasons.length;
      const below = (fits ? details : [reasons, ...details]).filter((each) => each !== "");
      const lines = below.map((each) => `${BELOW}${paint("quiet", wrapText(each, width, BELOW.length))}`);
      return [`${head}  ${fits ? reasons : ""}`.trimEnd(), ...lines].join("\n");
    })
    .join("\n");
}

const MARK_WIDTH = 19;

/** What a name's own lines are indented by: to where the names begin. */
const BELOW = " ".repeat(2 + MARK_WIDTH + 1);

/** ` +/- replace        `: symbol and word, as wide as the widest. */
function markText({ symbol, word, tone }: Mark, paint: Paint): string {
  const text = `${symbol.padStart(3)} ${word}`;
  return paint(tone, text) + " ".repeat(Math.max(0, MARK_WIDTH - [...text].length));
}

/** Of a model that comes or goes every column does; that says nothing. */
function columnChangesText({ change, columns }: ChangeView): string {
  return change === "added" || change === "removed" ? "" : columnsText(columns);
}

function categoryText({ category, row }: ChangeView): string {
  const parts = [category, row === null ? null : `rule ${row}`].filter((each) => each !== null);
  return parts.join(", ");
}

function outside(dependents: readonly DependentView[], { paint, width, explain }: PlanPrintOptions): string {
  const unmanaged = dependents.filter((each) => !each.managed);
  const sorted = fateOrder.flatMap((fate) => unmanaged.filter((each) => each.fate === fate));
  return sorted
    .map((each) => {
      const head = `  ${markText(fateMarks[each.fate], paint)} ${UNMANAGED} ${dependentText(each)}`;
      const indent = 2 + MARK_WIDTH + 3;
      const uses = usesText(each);
      const lines = [uses === "" ? "" : `uses ${uses}`, each.why].filter((line) => line !== "");
      if (each.fate === "kept" && !explain)
        return [head, uses].filter((part) => part !== "").join(paint("quiet", " uses "));
      return [
        head,
        ...lines.map((line) => `${" ".repeat(indent)}${paint("quiet", wrapText(line, width, indent))}`),
      ].join("\n");
    })
    .join("\n");
}

const severityTone: Readonly<Record<PlanView["risk"]["level"], Tone>> = {
  critical: "blocked",
  high: "drop",
  moderate: "replace",
  low: "quiet",
};

const severityOrder: readonly PlanView["risk"]["level"][] = ["critical", "high", "moderate", "low"];

function hazards(view: PlanView, { paint, width }: PlanPrintOptions): string {
  const sorted = severityOrder.flatMap((severity) => view.hazards.filter((each) => each.severity === severity));
  return sorted
    .map(({ severity, sentence, objects }) => {
      const head = `  ${paint(severityTone[severity], severity.padEnd(8))} ${wrapText(sentence, width, 11)}`;
      return [head, ...objects.map((each) => `           ${paint("quiet", affectedText(each))}`)].join("\n");
    })
    .join("\n");
}

function backfills(view: PlanView, width: number): string {
  const whole = view.backfills.filter((each) => each.intervals.length === 0);
  const parts = view.backfills.filter((each) => each.intervals.length > 0);
  const lines = parts.map(({ model, kind, intervals, estimate }) => {
    const last = intervals.at(-1)?.[1] ?? "";
    const span = `${intervals.length} intervals, ${intervals[0]?.[0] ?? ""} to ${last}`;
    return `  ${model} (${kind}): ${span}${estimate === null ? "" : `, ${estimate}`}`;
  });
  const names = whole.map(({ model, estimate }) => `${model}${estimate === null ? "" : ` (${estimate})`}`).join(", ");
  return (names === "" ? lines : [...lines, `  built whole: ${wrapText(names, width, 15)}`]).join("\n");
}

function footer(view: PlanView, { paint, steps: wanted }: PlanPrintOptions): string {
  if (view.result === "empty") return "";
  const steps = wanted ? nextSteps(view) : [];
  const widest = Math.max(0, ...steps.map((each) => each.command.length));
  const lines = steps.map(({ command, what }) => `  ${command.padEnd(widest)}  ${paint("quiet", `# ${what}`)}`);
  const identity = `Plan ${paint("strong", view.id)} of ${view.project === "" ? "the project" : view.project} for ${view.environment}, ${view.state}, by ${view.author}. Digest ${view.digest}`;
  return lines.length === 0 ? identity : `${identity}\nNext:\n${lines.join("\n")}`;
}
