import { compareColumns } from "../snapshot/column-changes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { changeCategory } from "./change-category.ts";
import { changeOf, sameSnapshot, standingOf, standingPath, standingReasons, type Walk, type WalkStep } from "./walk.ts";

/**
 * EMBEDDED and EXTERNAL models have no object and no row of the table. What changes in an EMBEDDED one is an own change
 * of whoever it stands in; an EXTERNAL one carries nothing on by itself, unless the name used to be a model of ours.
 */
export function decideInlined(walk: Walk, snapshot: Snapshot): WalkStep {
  const standing = standingOf(walk, snapshot);
  const { compared, own } = standing;
  const change = changeOf(standing);
  const external = snapshot.model.kind.kind === "external";
  const differs = external ? own.startsAnew && compared !== null : own.differs || standing.differingParents.length > 0;
  const shape = walk.facts.shapes.get(snapshot.model.key);
  const shapeColumns = shape?.ok === true ? shape.columns : null;
  const columns = change === "none" || shapeColumns === null ? (compared?.columns ?? []) : shapeColumns;
  return {
    rebuilt: compared !== null && compared.version !== null,
    fromPreview: false,
    decision: {
      model: snapshot.model.key,
      row: null,
      change,
      category: external
        ? null
        : changeCategory({
            change,
            row: null,
            startsAnew: own.startsAnew,
            differs,
            outcome: "none",
            preview: false,
            forwardOnlyKind: false,
            onlyAddsColumns: false,
          }),
      reasons: [
        ...standingReasons(standing),
        ...(walk.base.isNewEnvironment && compared !== null ? [{ code: "new_environment" } as const] : []),
      ],
      path: standingPath(standing),
      moved: standing.movedParents.length > 0,
      differs,
      outcome: "none",
      create: false,
      fill: "none",
      alter: null,
      previous: standing.previous,
      compared,
      previousSnapshot: standing.previousSnapshot,
      next: {
        snapshot:
          compared !== null && sameSnapshot(standing.previousSnapshot, snapshot) ? compared.snapshot : snapshot.id,
        version: null,
        lookupKey: null,
        relation: null,
        view: null,
        columns,
        preview: false,
        borrowed: false,
        known: null,
      },
      columns: compareColumns(compared?.columns ?? [], columns),
      inPlace: false,
    },
  };
}
