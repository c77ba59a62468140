import type { Blocker, BlockerCode } from "../plan/hazards/hazard.ts";
import { acceptanceText } from "../plan/ladder/acceptances.ts";
import { columnsText, listText, ownedText } from "./object-text.ts";

/** What stands in the way, whose it is, and what to do: one or two sentences. */
export function describeBlocker(blocker: Blocker): string {
  return sentences[blocker.code](blocker);
}

type Sentence = (blocker: Blocker) => string;

const detail = (blocker: Blocker, name: string) => blocker.details[name] ?? "";
const owned = (blocker: Blocker) => listText(blocker.objects.map((each) => `${ownedText(each)}`));
const because = (blocker: Blocker) => {
  const obstacles = detail(blocker, "obstacles");
  return obstacles === "" ? "" : ` (${obstacles})`;
};

const sentences: Readonly<Record<BlockerCode, Sentence>> = {
  outside_object_lost: lostSentence,
  outside_object_retyped: (blocker) =>
    `${owned(blocker)} uses ${detail(blocker, "columns") || "columns"} of ${detail(blocker, "view")}, whose type changes${because(blocker)}. Keep the type, let its owner change it first, or take on that it is made again with the new type: ${accepting(blocker)}.`,
  forward_only_destructive: (blocker) =>
    `${detail(blocker, "model")} keeps its history, and ${detail(blocker, "columns")} of ${detail(blocker, "table")} would be dropped or retyped. Allow it with --allow-destructive-model ${detail(blocker, "model")}.`,
  version_in_use: (blocker) => {
    const who = detail(blocker, "environment");
    const where = who === "" ? "a version kept for rolling back" : `the environment ${who}`;
    return `${detail(blocker, "columns")} of ${detail(blocker, "table")} can't go: ${owned(blocker)} of ${where} still reads it.`;
  },
  stored_rows_recomputed: (blocker) =>
    `${owned(blocker)} would be computed anew, and has too many rows to compare them; they may differ. Take that on: ${accepting(blocker)}.`,
  too_many_locks: (blocker) =>
    `${owned(blocker)}: with ${detail(blocker, "members")} objects on them this would take ${detail(blocker, "locks")} of the server's ${detail(blocker, "slots")} locks. Raise max_locks_per_transaction, or change fewer views at once.`,
  view_carries_access: (blocker) =>
    `${detail(blocker, "view")} can't be replaced in place${because(blocker)}, and a drop would lose what it carries: ${detail(blocker, "carried")}.`,
  name_claimed: (blocker) =>
    detail(blocker, "by") === ""
      ? `${detail(blocker, "view")} would be the view of several models: ${detail(blocker, "model")}. Rename one of them.`
      : `${detail(blocker, "view")} of ${detail(blocker, "model")} is already served by ${detail(blocker, "by")}. Rename the model, or remove it there first.`,
  name_too_long: (blocker) =>
    `${detail(blocker, "name")} of ${detail(blocker, "model")} has ${detail(blocker, "bytes")} bytes, and the server takes ${detail(blocker, "limit")}. Choose a shorter name.`,
  other_project: (blocker) =>
    `${detail(blocker, "environment")} looks as if it belonged to another project: ${detail(blocker, "removed")} of its ${detail(blocker, "served")} views would be removed. Set "project:" in the configuration, or plan with --replace-project.`,
  shape_missing: (blocker) =>
    `The columns of ${detail(blocker, "model")} (${detail(blocker, "path")}) can't be found out: ${detail(blocker, "what")}. Set the gateway's "shadow" to the warehouse or to a scratch database that has it.`,
  model_broken: (blocker) =>
    `${placeText(blocker)}: ${detail(blocker, "model")} can't run: ${detail(blocker, "message")} (${detail(blocker, "sqlstate")}).`,
  rights_missing: (blocker) =>
    `The role ${detail(blocker, "role")} lacks ${detail(blocker, "right")} on ${detail(blocker, "on")}, ${detail(blocker, "why")}.`,
  state_disagrees: (blocker) =>
    `State and warehouse disagree about ${detail(blocker, "environment")} (restored backup?): state says ${detail(blocker, "state")}, the warehouse ${detail(blocker, "warehouse")}.`,
  history_lost: (blocker) =>
    `${detail(blocker, "model")} is gone from the warehouse, and its history can't be computed again.`,
  author_cascade: (blocker) =>
    `${detail(blocker, "path")}:${detail(blocker, "line")}: a statement of ${detail(blocker, "model")} asks for CASCADE, which would take what nobody has reviewed. Name what it drops instead.`,
  environment_foreign_object: (blocker) =>
    `The name ${detail(blocker, "view")} is taken by ${owned(blocker)}, which Weir didn't make. Rename the model, or move that object away.`,
};

function lostSentence(blocker: Blocker): string {
  const view = detail(blocker, "view");
  const who = listText(blocker.objects.map((each) => `${ownedText(each)} uses ${columnsText(each.columns)}`));
  switch (detail(blocker, "reason")) {
    case "column_gone":
      return `${view} loses ${detail(blocker, "columns")}, still used: ${who}. Keep the column, let its owner stop using it first, or take on the loss: ${accepting(blocker)}.`;
    case "source_dropped":
      return `${view} is removed but still read: ${who}. Keep the model, let its owner drop that first, or take on the loss: ${accepting(blocker)}.`;
    case "reads_fallen":
      return `Behind what can't stay on ${view}: ${who}. To take on the loss: ${accepting(blocker)}.`;
    case "used_by_place":
      return `${view} can't be replaced in place${because(blocker)}, its columns move, and this goes by their places: ${who}. Keep the column that goes before them, or take on the loss: ${accepting(blocker)}.`;
    default: {
      const reason = detail(blocker, "because");
      return `${view} can't be replaced in place${because(blocker)}, and this can't be brought back${reason === "" ? "" : ` (${reason})`}: ${who}.`;
    }
  }
}

/** What to say on the command line; nobody should have to put a name together. */
function accepting(blocker: Blocker): string {
  return blocker.objects
    .map(({ object }) => `--accept ${acceptanceArgument(acceptanceText(blocker.code, object))}`)
    .join(" ");
}

function acceptanceArgument(text: string): string {
  return /^[\w.:]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function placeText(blocker: Blocker): string {
  const parts = [detail(blocker, "path"), detail(blocker, "line"), detail(blocker, "column")];
  return parts.filter((part) => part !== "").join(":");
}
