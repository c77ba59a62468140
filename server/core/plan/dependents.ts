import { compareText, type RelationName, relationKey } from "../base/relation-name.ts";
import { assertNever } from "../base/result.ts";
import type { ClosureMember, ObjectName } from "../catalog/catalog.ts";
import type { AffectedObject } from "./hazards/hazard.ts";
import type { Dependent } from "./plan.ts";
import { managedAs, objectOf, type Planning } from "./planning.ts";

/** What the plan does to something that others hang on. */
export type RootFate =
  /** Replaced in place: whoever reads it goes on reading the same columns. */
  | { readonly kind: "kept" }
  /** Can't be replaced in place; `gone` and `retyped` are its columns that change. */
  | { readonly kind: "not_in_place"; readonly gone: ReadonlySet<string>; readonly retyped: ReadonlySet<string> }
  /** Its name disappears. */
  | { readonly kind: "dropped" }
  /** Stays as it is, but nothing new comes in: the environment has gone on to another version. */
  | { readonly kind: "left_behind" };

export type DependentReason =
  | "kept_in_place"
  | "column_gone"
  | "column_retyped"
  | "not_in_place"
  | "source_dropped"
  | "reads_fallen"
  | "old_version";

export interface Judged {
  readonly dependent: Dependent;
  readonly reason: DependentReason;
  /** Columns of the root that vanish or change their type and that it uses, directly or through others. */
  readonly columns: readonly string[] | "unknown";
}

/**
 * What becomes of everything that hangs on `root`. In this version of the product nothing that isn't ours is dropped and
 * made again, so whatever would have to fall blocks the plan.
 */
export function judgeDependents(
  planning: Planning,
  root: RelationName,
  fate: RootFate,
  members: readonly ClosureMember[],
): readonly Judged[] {
  const rootObject = objectOf(root, "view");
  const sorted = [...members].sort((a, b) => a.depth - b.depth || compareObjects(a.object, b.object));
  const judged: Judged[] = [];
  // By name alone: the catalog's word for a kind may differ between an object and whoever reads it.
  const names = new Set<string>();
  for (const member of sorted) {
    judged.push(judge(planning, rootObject, fate, member, names));
    names.add(relationKey(member.object));
  }
  return judged;
}

function judge(
  planning: Planning,
  root: ObjectName,
  fate: RootFate,
  member: ClosureMember,
  earlier: ReadonlySet<string>,
): Judged {
  const direct = member.uses.filter((use) => use.object.schema === root.schema && use.object.name === root.name);
  const [reason, columns] = reasonFor(fate, member, direct, earlier);
  const blocked = reason !== "kept_in_place" && reason !== "old_version";
  const why: readonly AffectedObject[] =
    reason === "reads_fallen"
      ? member.uses.map((use) => ({ object: use.object, owner: null, columns: use.columns }))
      : [{ object: root, owner: null, columns: reason === "kept_in_place" ? usedColumns(direct) : columns }];
  return {
    dependent: {
      object: member.object,
      owner: member.owner,
      managed: managedAs(planning, member.object) !== null,
      of: member.uses.map((use) => ({ object: use.object, columns: use.columns })),
      fate: blocked ? "blocked" : "kept",
      strategy: null,
      why: { code: reason, objects: why },
    },
    reason,
    columns,
  };
}

function reasonFor(
  fate: RootFate,
  member: ClosureMember,
  direct: ClosureMember["uses"],
  earlier: ReadonlySet<string>,
): readonly [DependentReason, readonly string[] | "unknown"] {
  switch (fate.kind) {
    case "kept":
      return ["kept_in_place", []];
    case "left_behind":
      return ["old_version", usedColumns(direct)];
    case "dropped":
      return direct.length > 0 ? ["source_dropped", usedColumns(direct)] : ["reads_fallen", []];
    case "not_in_place": {
      if (direct.length === 0 && member.uses.some((use) => earlier.has(relationKey(use.object))))
        return ["reads_fallen", []];
      const used = usedColumns(direct);
      // The catalog doesn't say which columns: it may be any of them.
      if (used === "unknown") return [fate.gone.size > 0 ? "column_gone" : "column_retyped", "unknown"];
      const gone = used.filter((column) => fate.gone.has(column));
      if (gone.length > 0) return ["column_gone", gone];
      const retyped = used.filter((column) => fate.retyped.has(column));
      return retyped.length > 0 ? ["column_retyped", retyped] : ["not_in_place", used];
    }
    default:
      return assertNever(fate);
  }
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
