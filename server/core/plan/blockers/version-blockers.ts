import { relationKey } from "../../base/relation-name.ts";
import type { ClosureMember, ObjectName } from "../../catalog/catalog.ts";
import type { AffectedObject, Blocker } from "../hazards/hazard.ts";
import {
  catalogRelation,
  closureOf,
  type Materialised,
  managedAs,
  objectOf,
  type Planning,
  sameRelation,
} from "../planning.ts";

/**
 * A forward-only table that loses or retypes columns. It takes somebody's word for the model, and nobody may still
 * read those columns: not another environment, not a version that is kept for rolling back, not somebody else's object.
 */
export function versionBlockers(planning: Planning, own: Materialised): readonly Blocker[] {
  const { decision, model, next } = own;
  const columns = lostColumns(own);
  if (columns.length === 0) return [];
  const name = next.view ?? next.relation;
  const named: AffectedObject = {
    object: objectOf(name, next.view === null ? "table" : "view"),
    owner: catalogRelation(planning, name)?.owner ?? null,
    columns,
  };
  const { allowDestructive } = planning.facts.request.options;
  const allowed = allowDestructive.includes(decision.model) || allowDestructive.includes(relationKey(name));
  const details = { model: model.key, table: relationKey(next.relation), columns: columns.join(", ") };
  return [
    ...(allowed ? [] : [{ code: "forward_only_destructive" as const, objects: [named], details }]),
    ...readersOf(planning, own, columns).map((reader) => readerBlocker(planning, reader, details)),
  ];
}

/** Columns that a forward-only change takes away from the table or gives another type. */
export function lostColumns(own: Materialised): readonly string[] {
  const { alter } = own.decision;
  if (alter === null || own.decision.create) return [];
  return [...alter.removed.map((column) => column.name), ...alter.retyped.map((column) => column.name)].sort();
}

/** Those that read the columns, and whatever stands on one of those: it can't go either while that is there. */
function readersOf(planning: Planning, own: Materialised, lost: readonly string[]): readonly ClosureMember[] {
  const { relation } = own.next;
  const inTheWay = new Set<string>();
  const members = [...closureOf(planning, relation)].sort((a, b) => a.depth - b.depth);
  return members.filter((member) => {
    if (makesWay(planning, own, member.object)) return false;
    const reads = member.uses.some(({ object, columns }) => {
      if (!sameRelation(object, relation)) return inTheWay.has(relationKey(object));
      return columns === "unknown" || columns.some((column) => lost.includes(column));
    });
    if (reads) inTheWay.add(relationKey(member.object));
    return reads;
  });
}

/** The environment's own names are put on other versions in the same transaction, and are judged by what that means. */
function makesWay(planning: Planning, own: Materialised, object: ObjectName): boolean {
  if (sameRelation(object, own.next.view)) return true;
  const known = managedAs(planning, object);
  if (known === null || known.layer !== "virtual") return false;
  return known.environment === planning.facts.request.environment && known.project === planning.facts.project.name;
}

function readerBlocker(planning: Planning, reader: ClosureMember, details: Blocker["details"]): Blocker {
  const used = reader.uses.flatMap((use) => (use.columns === "unknown" ? [] : use.columns));
  const unknown = reader.uses.some((use) => use.columns === "unknown");
  const object: AffectedObject = {
    object: reader.object,
    owner: reader.owner,
    columns: unknown ? "unknown" : [...new Set(used)].sort(),
  };
  const known = managedAs(planning, reader.object);
  if (known === null) {
    const view = details.table ?? "";
    const direct = reader.uses.some((use) => relationKey(use.object) === view);
    return {
      code: "outside_object_lost",
      objects: [object],
      details: { ...details, view, reason: direct ? "column_gone" : "reads_fallen", obstacles: "" },
    };
  }
  const by = known.environment === planning.facts.request.environment ? null : known.environment;
  return {
    code: "version_in_use",
    objects: [object],
    details: { ...details, ...(by === null ? {} : { environment: by }), reader: known.model },
  };
}
