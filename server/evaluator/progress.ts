import type { Plan } from "../core/plan/plan.ts";
import type { RunHappening } from "../core/stage/run.ts";
import type { MarkerKey } from "../ports/warehouse.ts";

/** What a run has behind it. */
export interface Progress {
  /** Grows while an attempt goes on. */
  readonly done: Set<string>;
  /** Of these, what the journal doesn't say yet, in the plan's order. */
  readonly unrecorded: readonly string[];
  /** Begun by an attempt that said nothing of their end, and without a marker: it can't be known whether they ran. */
  readonly uncertain: ReadonlySet<string>;
  readonly promoted: boolean;
}

/**
 * From the journal, and from the markers in the warehouse: an attempt can die between its commit and its record of it.
 * `markers` must have been read after the fences were taken, so that no commit of the earlier attempt can come later.
 */
export function progressOf(
  plan: Plan,
  events: readonly RunHappening[],
  markers: readonly MarkerKey[],
  promoted: boolean,
): Progress {
  const recorded = new Set<string>();
  const begun = new Set<string>();
  for (const event of events) {
    if (event.kind === "action_started") begun.add(event.action);
    if (event.kind === "action_done") recorded.add(event.action);
    if (event.kind === "action_done" || event.kind === "action_failed") begun.delete(event.action);
  }
  const { actions } = plan.effects;
  const marked = new Set(markers.map((marker) => marker.action));
  const found = actions.filter(({ id, stage }) => marked.has(id) || (promoted && stage === "promotion"));
  const unrecorded = found.map(({ id }) => id).filter((id) => !recorded.has(id));
  const alone = actions.filter((action) => action.statements.some((statement) => statement.alone));
  const uncertain = new Set(alone.map(({ id }) => id).filter((id) => begun.has(id)));
  return { done: new Set([...recorded, ...unrecorded]), unrecorded, uncertain, promoted };
}
