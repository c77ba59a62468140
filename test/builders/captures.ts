import { compareText, relationKey } from "../../server/core/base/relation-name.ts";
import type { Captured, CapturedView, Captures } from "../../server/core/catalog/captured.ts";
import type { Catalog, CatalogRelation, ClosureMember, ObjectName } from "../../server/core/catalog/catalog.ts";
import { objectKey } from "../../server/core/plan/dependents.ts";
import {
  aCapturedColumn,
  aCapturedFunction,
  aCapturedMaterializedView,
  aCapturedRule,
  aCapturedStoredColumn,
  aCapturedTrigger,
  aCapturedView,
} from "./captured.ts";

/** What the reader would have captured of a sketched catalog: everything that can be, and that the role may do all with. */
export function capturesOf(catalog: Catalog, objects: readonly ObjectName[]): Captures {
  const wanted = new Map(objects.map((object) => [objectKey(object), object]));
  const captured = [...wanted.values()]
    .flatMap((object) => captureOne(catalog, object) ?? [])
    .sort((a, b) => compareText(objectKey(a.object), objectKey(b.object)));
  const schemas = [...new Set(captured.map((each) => each.object.schema))].sort(compareText);
  return {
    objects: captured,
    defaultGrantees: schemas.map((schema) => ({ schema, relations: [], functions: [], types: [] })),
    rights: captured.map(({ object }) => ({
      object,
      mayAlter: true,
      mayGiveBack: true,
      ownerMayCreate: true,
      roleMayCreate: true,
      grantorsOutOfReach: [],
    })),
  };
}

function captureOne(catalog: Catalog, object: ObjectName): Captured | null {
  const relation = catalog.relations.find((each) => relationKey(each.name) === relationKey(object));
  if (relation?.kind === "view") return captureRoot(object, relation);
  const member = catalog.closures
    .flatMap((closure) => closure.members)
    .find((each) => objectKey(each.object) === objectKey(object));
  return member === undefined ? null : captureMember(member);
}

function captureRoot(object: ObjectName, relation: CatalogRelation): CapturedView {
  const { owner, comment, options, grants, name } = relation;
  return aCapturedView(name.name, {
    object,
    relation: name,
    owner,
    comment,
    options,
    grants,
    columns: relation.columns.map((column) =>
      aCapturedColumn(column.name, { type: column.type, comment: column.comment, grants: column.grants }),
    ),
    definition: relation.definition ?? "SELECT",
    rowType: { comment: null, grants: [], labels: [] },
  });
}

function captureMember({ object, owner, uses }: ClosureMember): Captured | null {
  const from = uses.map((use) => relationKey(use.object)).join(", ");
  const columns = [...new Set(uses.flatMap((use) => (use.columns === "unknown" ? [] : use.columns)))];
  const common = { object, owner };
  const [own = "", host = ""] = object.name.split(" on ");
  const on = { schema: object.schema, name: host };
  const definition = `SELECT ${columns.join(", ")}\n   FROM ${from}`;
  const relation = { schema: object.schema, name: object.name };
  switch (object.type) {
    case "view":
      return aCapturedView(object.name, {
        ...common,
        relation,
        definition,
        columns: columns.map((name) => aCapturedColumn(name)),
      });
    case "materialized view":
      return aCapturedMaterializedView(object.name, {
        ...common,
        relation,
        definition,
        columns: columns.map((name) => aCapturedStoredColumn(name)),
      });
    case "function":
      return aCapturedFunction(object.name, {
        ...common,
        schema: object.schema,
        signature: `${object.schema}.${object.name}`,
        usesRowType: uses.some((use) => use.columns === "unknown"),
      });
    case "rule":
      return aCapturedRule(own, { ...common, on, onKind: "view" });
    case "trigger":
      return aCapturedTrigger(own, { ...common, on, onKind: "view" });
    default:
      return null;
  }
}
