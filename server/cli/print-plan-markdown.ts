import { objectName } from "../core/review/object-text.ts";
import type { AffectedView, PlanView } from "../core/review/plan-view.ts";
import { nextSteps } from "./next-steps.ts";
import { columnsText, originText, usesText } from "./object-text.ts";
import { changeOrder, fateMarks, fateOrder, type Mark, marks, UNMANAGED } from "./plan-marks.ts";

/** A plan for a pull request: the same order and words as the terminal's, every name in the open, SQL folded away. */
export function printPlanMarkdown(view: PlanView): string {
  const blocks = [
    `### Plan ${code(view.id)} for ${code(view.environment)}`,
    `**${escapeText(view.summary.line)}**`,
    view.result === "empty" ? "" : `> ${escapeText(view.verdict)}`,
    blockers(view),
    changes(view),
    outside(view),
    hazards(view),
    view.warnings.map((each) => `- ${escapeText(each)}`).join("\n"),
    statements(view),
    footer(view),
  ];
  return blocks.filter((each) => each !== "").join("\n\n");
}

function blockers(view: PlanView): string {
  if (view.blockers.length === 0) return "";
  const items = view.blockers.map(
    ({ code: name, sentence, objects }) => `- ${escapeText(sentence)} ${code(name)}${affected(objects)}`,
  );
  return `**Blocked**\n\n${items.join("\n")}`;
}

function affected(objects: readonly AffectedView[]): string {
  return objects
    .map(({ object, owner, columns }) => {
      const used = columns === "unknown" ? "columns unknown" : columns.map(code).join(", ");
      const who = owner === null ? "" : `, owner ${code(owner)}`;
      return `\n  - ${code(objectName(object))} (${escapeText(object.type)}${who})${used === "" ? "" : `: ${used}`}`;
    })
    .join("");
}

function changes(view: PlanView): string {
  if (view.changes.length === 0) return "";
  const sorted = changeOrder.flatMap((mark) => view.changes.filter((each) => each.mark === mark));
  const rows = sorted.map((change) => {
    const why = [change.reasons.join("; "), originText(change), columnsText(change.columns)];
    return [
      markText(marks[change.mark]),
      code(change.model),
      escapeText(change.kind),
      escapeText(why.filter((each) => each !== "").join("; ")),
    ];
  });
  return table(["", "model", "kind", "why"], rows);
}

function outside(view: PlanView): string {
  const unmanaged = view.dependents.filter((each) => !each.managed);
  if (unmanaged.length === 0) return "";
  const sorted = fateOrder.flatMap((fate) => unmanaged.filter((each) => each.fate === fate));
  const rows = sorted.map((each) => [
    markText(fateMarks[each.fate]),
    `${UNMANAGED} ${code(objectName(each.object))}`,
    escapeText(each.object.type),
    code(each.owner),
    escapeText([usesText(each), each.why].filter((part) => part !== "").join("; ")),
  ]);
  return `**Outside the project**\n\n${table(["", "object", "type", "owner", "what it uses, what becomes of it"], rows)}`;
}

function hazards(view: PlanView): string {
  if (view.hazards.length === 0) return "";
  const items = view.hazards.map(
    ({ severity, sentence, objects }) => `- ${severity}: ${escapeText(sentence)}${affected(objects)}`,
  );
  return `**Hazards**\n\n${items.join("\n")}`;
}

function statements(view: PlanView): string {
  const count = view.actions.reduce((sum, action) => sum + action.statements.length, 0);
  if (count === 0) return "";
  const body = view.actions
    .map((action) => `-- ${action.id} ${action.stage}: ${action.title}\n${action.statements.map(sqlText).join("\n")}`)
    .join("\n\n");
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `<details><summary>${count} statements, in order</summary>\n\n${fence}sql\n${body}\n${fence}\n\n</details>`;
}

function sqlText({ sql }: { readonly sql: string }): string {
  return sql.trimEnd().endsWith(";") ? sql : `${sql};`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}

function footer(view: PlanView): string {
  if (view.result === "empty") return "";
  const steps = nextSteps(view).map(({ command, what }) => `- ${code(command)}: ${escapeText(what)}`);
  const identity = `State ${escapeText(view.state)}, by ${escapeText(view.author)}. Digest ${code(view.digest)}`;
  return [identity, ...steps].join("\n");
}

function markText({ symbol, word }: Mark): string {
  return symbol === "" ? word : `${code(symbol)} ${word}`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}

/** In table cells a bar ends the cell even inside code, so it is escaped there, too. */
function code(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const padded = text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text;
  return `${fence}${padded.replaceAll("|", "\\|")}${fence}`;
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`).replaceAll("\n", " ");
}
