import { type RelationName, relationKey } from "../base/relation-name.ts";
import type { KnownVersion, PromotedModel } from "../environment/environment.ts";
import type { Model } from "../model/model.ts";
import type { ModelKey } from "../model/model-name.ts";
import { findReads, type ModelReads } from "../snapshot/reads.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import type { ComparisonBase } from "./comparison-base.ts";
import type { Decision, Reason } from "./decision.ts";
import type { Facts } from "./facts.ts";
import { NEW_MODEL, type OwnChange, ownChange, UNKNOWN_CHANGE } from "./own-change.ts";

/** The walk so far: whatever a model asks of its parents is decided already. */
export interface Walk {
  readonly facts: Facts;
  readonly parser: SqlParser;
  readonly base: ComparisonBase;
  readonly models: ReadonlyMap<ModelKey, Model>;
  /** What state knows of each model's versions. */
  readonly versions: ReadonlyMap<ModelKey, readonly KnownVersion[]>;
  /** Keys of the relations that the catalog has. */
  readonly present: ReadonlySet<string>;
  readonly steps: ReadonlyMap<ModelKey, WalkStep>;
}

export interface WalkStep {
  readonly decision: Decision;
  /** Has another version than what it is compared with. */
  readonly rebuilt: boolean;
  /** Rows come from a preview, directly or through views. */
  readonly fromPreview: boolean;
}

/** A model before its row is chosen: what changed in it, and what its parents bring. */
export interface Standing {
  readonly snapshot: Snapshot;
  readonly reads: ModelReads;
  readonly previous: PromotedModel | null;
  readonly compared: PromotedModel | null;
  readonly previousSnapshot: Snapshot | null;
  readonly own: OwnChange;
  readonly parents: readonly WalkStep[];
  readonly movedParents: readonly WalkStep[];
  readonly differingParents: readonly WalkStep[];
}

export function standingOf(walk: Walk, snapshot: Snapshot): Standing {
  const { facts, base, models } = walk;
  const key = snapshot.model.key;
  const reads = findReads(snapshot.model, models);
  const compared = base.models.get(key) ?? null;
  const previousSnapshot = base.snapshots.get(key) ?? null;
  const snapshots = { before: base.snapshots, after: facts.snapshots };
  const parents = [...reads.managed, ...reads.external.map(({ model }) => model)].flatMap(
    (parent) => walk.steps.get(parent) ?? [],
  );
  return {
    snapshot,
    reads,
    previous: base.isNewEnvironment ? null : compared,
    compared,
    previousSnapshot,
    own: ownChangeOf(),
    parents,
    movedParents: compared === null ? [] : parents.filter(hasMoved),
    differingParents: compared === null ? [] : parents.filter((parent) => parent.decision.differs),
  };

  function ownChangeOf(): OwnChange {
    if (compared === null) return NEW_MODEL;
    return previousSnapshot === null
      ? UNKNOWN_CHANGE
      : ownChange(previousSnapshot, snapshot, reads, snapshots, walk.parser);
  }
}

export function changeOf(standing: Standing): Decision["change"] {
  if (standing.compared === null) return "added";
  if (standing.own.data) return "modified";
  if (standing.movedParents.length > 0 || standing.differingParents.length > 0) return "indirect";
  return standing.own.labels ? "metadata" : "none";
}

/** A rebuilt parent's source is replaced as well; that is said only where nothing differs by it. */
export function standingReasons(standing: Standing): readonly Reason[] {
  const moved = standing.movedParents.filter((parent) => !standing.differingParents.includes(parent));
  return [
    ...standing.own.reasons,
    ...standing.differingParents.map(
      ({ decision, rebuilt }) => ({ code: "parent_differs", parent: decision.model, rebuilt }) as const,
    ),
    ...moved.map(({ decision }) => ({ code: "source_replaced", parent: decision.model }) as const),
  ];
}

/** The shortest way back to an edit, over parents that differ before parents that only moved; of equals the first by name. */
export function standingPath(standing: Standing): readonly ModelKey[] {
  const key = standing.snapshot.model.key;
  switch (changeOf(standing)) {
    case "none":
      return [];
    case "indirect": {
      const carriers = standing.differingParents.length > 0 ? standing.differingParents : standing.movedParents;
      const paths = carriers.map(({ decision }) => (decision.path.length > 0 ? decision.path : [decision.model]));
      const [shortest] = paths.sort((a, b) => a.length - b.length);
      return [key, ...(shortest ?? [])];
    }
    default:
      return standing.own.through === null ? [key] : [key, standing.own.through];
  }
}

/** Nothing is left to record: the snapshot that state has says the same under the current format. */
export function sameSnapshot(before: Snapshot | null, after: Snapshot): boolean {
  if (before === null) return false;
  return (["definition", "content", "inPlace", "metadata"] as const).every((hash) => before[hash] === after[hash]);
}

function hasMoved({ decision }: WalkStep): boolean {
  return keyOf(decision.next?.relation ?? null) !== keyOf(decision.compared?.relation ?? null);
}

function keyOf(relation: RelationName | null): string | null {
  return relation === null ? null : relationKey(relation);
}
