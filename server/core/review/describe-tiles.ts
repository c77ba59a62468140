import type { PlanEffects, PlanResult } from "../plan/plan.ts";
import { columnsText, countText, listText, objectName } from "./object-text.ts";
import type { SummaryView, TilesView, TileView } from "./plan-view.ts";

/** The four questions of everybody who decides: do readers wait, what happens to rows, who else is hit, can it be undone. */
export function describeTiles(effects: PlanEffects, result: PlanResult, summary: SummaryView): TilesView {
  if (result === "empty") return { downtime: still, data: still, outside: still, undo: still };
  return {
    downtime: downtimeTile(effects),
    data: dataTile(effects, summary),
    outside: outsideTile(effects),
    undo: undoTile(effects),
  };
}

const still: TileView = { headline: "Nothing", text: "There is nothing to do.", detail: "", watch: false };

function downtimeTile(effects: PlanEffects): TileView {
  const waiting = effects.actions.filter((action) => action.downtime === "rebuild" || action.downtime === "unknown");
  const locked = effects.actions.filter((action) => action.downtime === "brief-lock");
  const longest = Math.max(0, ...locked.flatMap((action) => action.statements.map((each) => each.lockTimeoutMs ?? 0)));
  if (waiting.length > 0) {
    const text = `${listText(waiting.map((action) => objectName(action.target)))} can't be read while it is written`;
    return { headline: "Readers wait", text, detail: "How long depends on the number of rows.", watch: true };
  }
  if (locked.length === 0)
    return { headline: "None", text: "No reader waits.", detail: "Nothing that is read now is locked.", watch: false };
  return {
    headline: "None",
    text: "No reader gets an error or an empty result.",
    detail: `Locks on ${countText(locked.length, "object")} are asked for at most ${longest} ms at a time.`,
    watch: false,
  };
}

function dataTile(effects: PlanEffects, summary: SummaryView): TileView {
  const lost = effects.hazards.filter((hazard) => hazard.code === "data_loss").flatMap((hazard) => hazard.objects);
  const built = summary.models === 0 ? "No rows are computed" : `${countText(summary.models, "model")} computed`;
  const names = listText(effects.backfills.map((backfill) => backfill.model));
  if (lost.length > 0) {
    const text = `Deleted: ${lost.map((each) => `${columnsText(each.columns)} of ${objectName(each.object)}`).join("; ")}`;
    return { headline: "Values are lost", text, detail: built, watch: true };
  }
  if (summary.models === 0)
    return { headline: "Unchanged", text: "No rows are computed or deleted.", detail: "", watch: false };
  return {
    headline: built,
    text: names,
    detail: `${countText(summary.intervals, "interval")}; what a kind builds whole counts as one.`,
    watch: false,
  };
}

function outsideTile(effects: PlanEffects): TileView {
  const outside = effects.dependents.filter((dependent) => !dependent.managed);
  const blocked = outside.filter((dependent) => dependent.fate === "blocked" || dependent.fate === "lost");
  const kept = outside.filter((dependent) => dependent.fate === "kept");
  const owners = (those: typeof outside) => [...new Set(those.map((dependent) => dependent.owner))].sort();
  const recreated = outside.filter((dependent) => dependent.fate === "recreated");
  const lost = outside.filter((dependent) => dependent.fate === "lost");
  if (lost.length > 0 && lost.length === blocked.length) {
    const text = `Dropped for good, of ${listText(owners(lost))}: ${listText(lost.map((dependent) => objectName(dependent.object)))}`;
    const detail = `Somebody took that on. ${recreated.length} brought back, ${kept.length} kept.`;
    return { headline: `${lost.length} lost`, text, detail, watch: true };
  }
  if (blocked.length > 0) {
    const text = `Would be lost, of ${listText(owners(blocked))}: ${listText(blocked.map((dependent) => objectName(dependent.object)))}`;
    return { headline: `${blocked.length} blocked`, text, detail: `${kept.length} kept.`, watch: true };
  }
  if (recreated.length > 0) {
    const text = `Dropped and made again as they are, of ${listText(owners(recreated))}: ${listText(recreated.map((dependent) => objectName(dependent.object)))}`;
    const detail = `With owner, grants, comments and indexes, compared before and after. ${kept.length} kept.`;
    return { headline: `${recreated.length} brought back, 0 lost`, text, detail, watch: true };
  }
  if (kept.length > 0) {
    const text = `Of ${listText(owners(kept))}: ${listText(kept.map((dependent) => objectName(dependent.object)))}`;
    return {
      headline: `${kept.length} kept, 0 lost`,
      text,
      detail: "They read what is replaced in place.",
      watch: false,
    };
  }
  return {
    headline: "Nothing",
    text: "Nothing outside the project hangs on what changes.",
    detail: "By the catalog; text inside functions isn't in it.",
    watch: false,
  };
}

function undoTile(effects: PlanEffects): TileView {
  const final = effects.actions.filter((action) => !action.reversible);
  if (final.length > 0) {
    const text = `Not to be undone: ${listText([...new Set(final.map((action) => objectName(action.target)))])}`;
    return {
      headline: "Not all of it",
      text,
      detail: "Everything else by planning the earlier files again.",
      watch: true,
    };
  }
  return {
    headline: "Plan the earlier files",
    text: "The versions that are replaced stay, and are used again without being built.",
    detail: "They are kept after the last environment has stopped using them.",
    watch: false,
  };
}
