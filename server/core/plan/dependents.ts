import { compareText, type RelationName } from "../base/relation-name.ts";
import type { ClosureMember, ObjectName } from "../catalog/catalog.ts";
import type { AffectedObject } from "./hazards/hazard.ts";
import type { Dependent } from "./plan.ts";
import { managedAs, objectOf, type Planning } from "./planning.ts";

/** What the plan does to something that others hang on and that stays. */
export type RootFate =
  /** Replaced in place: whoever reads it goes on reading the same columns. */
  | "kept"
  /** Stays as it is, but nothing new comes in: the environment has gone on to another version. */
  | "left_behind";

export type DependentReason =
  | "kept_in_place"
  | "old_version"
  /** Dropped and brought back as it was. */
  | "recreated"
  | "column_gone"
  | "column_retyped"
  | "source_dropped"
  | "reads_fallen"
  /** It goes by the places of columns, and those move. */
  | "used_by_place"
  /** It can't be brought back as it was. */
  | "cant_capture"
  /** Lost with the relation that it is on. */
  | "with_host";

export interface Judged {
  readonly dependent: Dependent;
  readonly reason: DependentReason;
  /** Columns that it uses, or of those the ones that change. */
  readonly columns: readonly string[] | "unknown";
}

/** What becomes of everything that hangs on a `root` that stays. */
export function judgeDependents(
  planning: Planning,
  root: RelationName,
  fate: RootFate,
  members: readonly ClosureMember[],
): readonly Judged[] {
  const object = objectOf(root, "view");
  const sorted = [...members].sort((a, b) => a.depth - b.depth || compareObjects(a.object, b.object));
  return sorted.map((member): Judged => {
    const direct = member.uses.filter((use) => use.object.schema === root.schema && use.object.name === root.name);
    const reason = fate === "kept" ? "kept_in_place" : "old_version";
    const columns = usedColumns(direct);
    return {
      dependent: {
        object: member.object,
        owner: member.owner,
        managed: managedAs(planning, member.object) !== null,
        of: member.uses.map((use) => ({ object: use.object, columns: use.columns })),
        fate: "kept",
        strategy: null,
        why: { code: reason, objects: [{ object, owner: null, columns }] },
      },
      reason,
      columns: fate === "kept" ? [] : columns,
    };
  });
}

function usedColumns(uses: ClosureMember["uses"]): readonly string[] | "unknown" {
  const columns = new Set<string>();
  for (const use of uses) {
    if (use.columns === "unknown") return "unknown";
    for (const column of use.columns) columns.add(column);
  }
  return [...columns].sort(compareText);
}

/** One entry an object, whatever roots it hangs on: the gravest fate, and all that it reads. */
export function mergeDependents(dependents: readonly Dependent[]): readonly Dependent[] {
  const byObject = new Map<string, Dependent>();
  for (const dependent of dependents) {
    const key = objectKey(dependent.object);
    const other = byObject.get(key);
    byObject.set(key, other === undefined ? dependent : mergeTwo(other, dependent));
  }
  return [...byObject.values()].sort((a, b) => compareObjects(a.object, b.object));
}

const gravity: Readonly<Record<Dependent["fate"], number>> = {
  lost: 4,
  blocked: 3,
  recreated: 2,
  replaced: 1,
  kept: 0,
};

function mergeTwo(a: Dependent, b: Dependent): Dependent {
  const graver = gravity[b.fate] > gravity[a.fate] ? b : a;
  const known = new Set(a.of.map((use) => objectKey(use.object)));
  const of = [...a.of, ...b.of.filter((use) => !known.has(objectKey(use.object)))];
  return { ...graver, of: of.sort((x, y) => compareObjects(x.object, y.object)) };
}

export function objectKey(object: ObjectName): string {
  return `${object.type} ${object.schema}.${object.name}`;
}

export function compareObjects(a: ObjectName, b: ObjectName): number {
  return compareText(a.schema, b.schema) || compareText(a.name, b.name) || compareText(a.type, b.type);
}

/** As hazards and blockers list it: what it is, whose it is, and what of its source it uses. */
export function affectedBy(judged: Judged): AffectedObject {
  const { object, owner, of } = judged.dependent;
  const columns = new Set<string>();
  for (const use of of) {
    if (use.columns === "unknown") return { object, owner, columns: "unknown" };
    for (const column of use.columns) columns.add(column);
  }
  return { object, owner, columns: [...columns].sort(compareText) };
}
