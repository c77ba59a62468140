import { objectName, objectText } from "../../server/core/review/object-text.ts";
import type { ActionView, ChangeView, DependentView, PlanView } from "../../server/core/review/plan-view.ts";

/**
 * A plan as a scenario holds it: everything of it that means something, nothing of how a terminal lays it out. Each
 * statement stands with its lock and its timeouts: `[ACCESS EXCLUSIVE, lock 250 ms, run 60000 ms]`.
 */
export function printScenario(view: PlanView): string {
  if (view.result === "empty") return `${view.summary.line}\n`;
  const { downtime, data, outside, undo } = view.tiles;
  const tiles = { downtime, data, outside, undo };
  const sections = [
    [view.summary.line, view.verdict],
    Object.entries(tiles).map(([name, tile]) => `${name}: ${tile.headline}. ${tile.text}${tile.watch ? " (!)" : ""}`),
    section("changes", view.changes.flatMap(changeLines)),
    section(
      "blockers",
      view.blockers.map((blocker) => `${blocker.code}: ${blocker.sentence}`),
    ),
    section("dependents", view.dependents.flatMap(dependentLines)),
    section(
      "hazards",
      view.hazards.map((hazard) => `${hazard.severity} ${hazard.code}: ${hazard.sentence}`),
    ),
    section(
      "backfills",
      view.backfills.map((each) => `${each.model} ${each.kind}, ${each.batches} batch`),
    ),
    section("actions", view.actions.flatMap(actionLines)),
    section("warnings", view.warnings),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`.trimEnd())];
}

function changeLines(change: ChangeView): readonly string[] {
  const row = change.row === null ? "" : `, row ${change.row}`;
  const { added, removed, retyped, reordered } = change.columns;
  const columns = [
    ...added.map((column) => `+${column.name}`),
    ...removed.map((column) => `-${column.name}`),
    ...retyped.map((column) => `${column.name} ${column.from} -> ${column.to}`),
    ...(reordered ? ["reordered"] : []),
  ];
  const listed = columns.length === 0 || change.change === "added" ? "" : ` [${columns.join(", ")}]`;
  const head = `${change.mark} ${change.model} ${change.kind}, ${change.category ?? change.change}${row}${listed}`;
  return [head, `  ${change.reasons.join("; ")}`];
}

function dependentLines(dependent: DependentView): readonly string[] {
  const whose = dependent.managed ? "managed" : `owner ${dependent.owner}`;
  const uses = dependent.of.map((use) => {
    const columns = use.columns === "unknown" ? "columns unknown" : use.columns.join(", ");
    return `  reads ${objectName(use.object)} (${columns})`;
  });
  return [`${dependent.fate} ${objectText(dependent.object)} (${whose}): ${dependent.why}`, ...uses];
}

function actionLines(action: ActionView): readonly string[] {
  const marks = [
    ...(action.because === action.model ? [] : [`because of ${action.because}`]),
    ...action.whyNotLower.map((why) => `not in place: ${why}`),
    ...(action.downtime === "none" ? [] : [action.downtime]),
    ...(action.reversible ? [] : ["final"]),
    ...action.hazards,
  ];
  const head = `${action.id} ${action.stage}: ${action.title}${marks.length === 0 ? "" : ` (${marks.join("; ")})`}`;
  const statements = action.statements.flatMap((statement) => {
    const limits = [
      ...(statement.lock === null ? [] : [statement.lock]),
      ...(statement.lockTimeoutMs === null ? [] : [`lock ${statement.lockTimeoutMs} ms`]),
      ...(statement.statementTimeoutMs === 0 ? ["run unlimited"] : [`run ${statement.statementTimeoutMs} ms`]),
    ];
    const [first = "", ...rest] = statement.sql.split("\n");
    return [`    ${first}`, ...rest.map((line) => `    ${line}`), `      [${limits.join(", ")}]`];
  });
  return [head, ...statements];
}
