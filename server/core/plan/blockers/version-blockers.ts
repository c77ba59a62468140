import { relationKey } from "../../base/relation-name.ts";
import type { ClosureMember } from "../../catalog/catalog.ts";
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

function readersOf(planning: Planning, own: Materialised, lost: readonly string[]): readonly ClosureMember[] {
  const { relation, view } = own.next;
  return closureOf(planning, relation).filter((member) => {
    // The model's own name makes way in the same transaction.
    if (sameRelation(member.object, view)) return false;
    return member.uses.some(
      (use) =>
        sameRelation(use.object, relation) &&
        (use.columns === "unknown" || use.columns.some((column) => lost.includes(column))),
    );
  });
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
    return {
      code: "outside_object_lost",
      objects: [object],
      details: { ...details, view, reason: "column_gone", obstacles: "" },
    };
  }
  const by = known.environment === planning.facts.request.environment ? null : known.environment;
  return {
    code: "version_in_use",
    objects: [object],
    details: { ...details, ...(by === null ? {} : { environment: by }), reader: known.model },
  };
}
