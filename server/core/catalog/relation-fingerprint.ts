import { type Hash, hashText } from "../base/hash.ts";
import type { CatalogColumn, CatalogIndex, CatalogRelation, Grant } from "./catalog.ts";

/** JSON without objects. */
export type JsonList = readonly (null | boolean | number | string | JsonList)[];

/**
 * Equal fingerprints mean that nobody changed the relation in between, as far as the catalog can tell. Names only, no
 * OIDs, and nothing that changes by itself: no estimates, no sizes, nothing about who is asking.
 * `detail` is what the server knows beyond the catalog value (definitions of rules and triggers, constraints, storage):
 * it counts here and nowhere else. Lists and not objects, since a thousand of these are hashed for one plan. Comparable within one server only, since its text is the server's own printing.
 */
export function fingerprintRelation(relation: Omit<CatalogRelation, "fingerprint">, detail: JsonList): Hash {
  const list: JsonList = [
    relation.name.schema,
    relation.name.name,
    relation.kind,
    relation.owner,
    relation.columns.map(columnJson),
    relation.options,
    relation.grants.map(grantJson),
    relation.comment,
    relation.indexes.map(indexJson),
    relation.rules,
    relation.triggers,
    relation.definition,
    relation.populated,
    relation.extension,
    detail,
  ];
  // Without objects there are no keys to sort: plain JSON is canonical already, and ten times as fast.
  return hashText(JSON.stringify(list));
}

function columnJson(column: CatalogColumn): JsonList {
  const { name, type, collation, notNull, hasDefault, comment, grants } = column;
  return [name, type, collation, notNull, hasDefault, comment, grants.map(grantJson)];
}

function grantJson(grant: Grant): JsonList {
  return [grant.grantor, grant.grantee, grant.privilege, grant.grantable];
}

function indexJson(index: CatalogIndex): JsonList {
  return [index.name, index.definition, index.unique, index.valid];
}
