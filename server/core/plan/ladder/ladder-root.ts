import { type RelationName, relationKey } from "../../base/relation-name.ts";
import type { CatalogRelation, ClosureMember, ObjectName } from "../../catalog/catalog.ts";
import type { Decision } from "../decision.ts";
import { leftBehindView } from "../left-behind-view.ts";
import { materialised, objectOf, type Planning } from "../planning.ts";
import { findVirtualChange, type VirtualChange } from "../virtual-change.ts";

/** A virtual view that something else hangs on, or that carries something, and that can't stay as it is. */
export interface LadderRoot {
  readonly decision: Decision;
  readonly current: CatalogRelation;
  /** What the name becomes; null where it disappears. */
  readonly change: VirtualChange | null;
  /** Columns that vanish: all of them where the name does. */
  readonly gone: ReadonlySet<string>;
  readonly retyped: ReadonlySet<string>;
  /** Columns that stay get another place, since one before them goes. */
  readonly moved: boolean;
  /** Everything that needs a statement of its own or stands in the way; indexes, rules and triggers among it. */
  readonly members: readonly ClosureMember[];
}

export function findLadderRoots(planning: Planning): readonly LadderRoot[] {
  return planning.decisions.flatMap((decision) => [
    ...changedRoot(planning, decision),
    ...removedRoot(planning, decision),
  ]);
}

function changedRoot(planning: Planning, decision: Decision): readonly LadderRoot[] {
  const own = materialised(planning, decision);
  const change = own === null ? null : findVirtualChange(planning, own);
  if (change === null || change.manner !== "climb" || change.current === null) return [];
  const { current, columns } = change;
  const next = columns.map((column) => column.name);
  return [
    {
      decision,
      current,
      change,
      gone: new Set(change.changes.removed.map((column) => column.name)),
      retyped: new Set(change.changes.retyped.map((column) => column.name)),
      moved: current.columns.some(({ name }, index) => next.includes(name) && next.indexOf(name) !== index),
      members: membersOf(planning, current.name),
    },
  ];
}

function removedRoot(planning: Planning, decision: Decision): readonly LadderRoot[] {
  const current = leftBehindView(planning, decision);
  if (current === null) return [];
  const members = membersOf(planning, current.name);
  if (members.length === 0) return [];
  const gone = new Set(current.columns.map((column) => column.name));
  return [{ decision, current, change: null, gone, retyped: new Set(), moved: false, members }];
}

function membersOf(planning: Planning, root: RelationName): readonly ClosureMember[] {
  const closure = planning.facts.catalog.closures.find((each) => relationKey(each.root) === relationKey(root));
  return closure?.members.filter((member) => member.treatment !== "part") ?? [];
}

export function rootObject(root: LadderRoot): ObjectName {
  return objectOf(root.current.name, "view");
}

/** What must be captured before it can be planned: the roots and all that hangs on them. */
export function captureReads(planning: Planning): readonly ObjectName[] {
  return findLadderRoots(planning).flatMap((root) => [
    rootObject(root),
    ...root.members.filter((member) => member.treatment === "unit").map((member) => member.object),
  ]);
}
