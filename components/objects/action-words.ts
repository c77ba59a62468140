import type { PlanView } from "../api/outputs.ts";

type Action = PlanView["actions"][number];

const words: Readonly<Record<string, string>> = {
  set_up_internal: "Set up Weir's own schema in the warehouse.",
  create_schema: "Create the schema.",
  create_view: "Create the new view beside the old one, under its own name. Nobody reads it yet.",
  create_materialized_view:
    "Create the new materialized view beside the old one, under its own name. Nobody reads it yet.",
  create_table: "Create the new table beside the old one, under its own name. Nobody reads it yet.",
  fill_table: "Fill it.",
  load_seed: "Load the seed's rows.",
  refresh_materialized_view: "Refresh it.",
  create_index: "Create its index.",
  drop_index: "Drop an index of it.",
  analyze: "Collect its statistics, so that readers get good plans at once.",
  set_storage: "Set its storage options.",
  set_access: "Give it the owner and the rights of the version before.",
  comment: "Write its description into the catalog.",
  run_statement: "Run the model's own statement.",
  alter_table: "Change the columns of the table in place.",
  create_virtual_view: "In the promotion transaction: create the name that readers use.",
  replace_virtual_view: "In the promotion transaction: point the name that readers use at the new version.",
  recreate_virtual_view: "In the promotion transaction: drop the name RESTRICT and create it again on the new version.",
  drop_virtual_view:
    "In the promotion transaction: drop the name that readers use, RESTRICT. The object behind it stays for 7 days.",
};

export function actionSentence(action: Action): string {
  return words[action.kind] ?? action.title;
}

/** Lock and limits of a statement, in words; null where it takes nothing from readers and has no limit. */
export function limitWords({ lock, lockTimeoutMs, statementTimeoutMs }: Action["statements"][number]): string {
  const parts = [
    lock === null ? "no reader waits" : `${lock} lock`,
    lockTimeoutMs === null || lockTimeoutMs === 0 ? "" : `lock_timeout ${timeText(lockTimeoutMs)}`,
    statementTimeoutMs === null
      ? ""
      : statementTimeoutMs === 0
        ? "no statement_timeout"
        : `statement_timeout ${timeText(statementTimeoutMs)}`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function timeText(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
