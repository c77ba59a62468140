import type { BlockerCode, HazardCode, Severity } from "./hazard.ts";

/** How much each hazard weighs; the highest one of a plan is its risk. Also the closed list of codes. */
export const hazardSeverity: Readonly<Record<HazardCode, Severity>> = {
  data_loss: "critical",
  outside_object_lost: "critical",
  environment_replaced: "critical",
  outside_object_recreated: "high",
  outside_object_retyped: "high",
  stored_rows_recomputed: "high",
  forward_only_destructive: "high",
  rollback_lost: "high",
  version_in_use: "high",
  view_dropped: "high",
  columns_removed: "moderate",
  column_retyped: "moderate",
  history_not_recomputed: "moderate",
  rebuild_expensive: "moderate",
  reader_wait: "moderate",
  index_not_carried: "moderate",
  old_version_still_read: "moderate",
  conservative_category: "low",
  served_order_differs: "low",
  view_recreated: "low",
};

/**
 * Whether somebody can take the loss on by name (`--accept CODE:OBJECT`), or it has to be resolved.
 */
export const blockerAcceptable: Readonly<Record<BlockerCode, boolean>> = {
  outside_object_lost: true,
  outside_object_retyped: true,
  stored_rows_recomputed: true,
  forward_only_destructive: false,
  version_in_use: false,
  view_carries_access: false,
  too_many_locks: false,
  name_claimed: false,
  name_too_long: false,
  other_project: false,
  shape_missing: false,
  model_broken: false,
  rights_missing: false,
  state_disagrees: false,
  history_lost: false,
  author_cascade: false,
  environment_foreign_object: false,
};

export const severities: readonly Severity[] = ["low", "moderate", "high", "critical"];

export const hazardCodes = Object.keys(hazardSeverity) as readonly HazardCode[] as readonly [
  HazardCode,
  ...HazardCode[],
];
export const blockerCodes = Object.keys(blockerAcceptable) as readonly BlockerCode[] as readonly [
  BlockerCode,
  ...BlockerCode[],
];
