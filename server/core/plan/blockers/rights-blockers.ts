import { compareText, type RelationName, relationKey } from "../../base/relation-name.ts";
import type { Blocker } from "../hazards/hazard.ts";
import { catalogRelation, type DraftAction, type Materialised, objectOf, type Planning } from "../planning.ts";
import { makes, missingSchemas } from "../schema-actions.ts";

/** What the applying role would be refused, found before anything runs instead of half-way through. */
export function rightsBlockers(
  planning: Planning,
  actions: readonly DraftAction[],
  all: readonly Materialised[],
): readonly Blocker[] {
  return [...schemaRights(planning, actions), ...relationRights(planning, actions), ...ownerRights(planning, all)];
}

function schemaRights(planning: Planning, actions: readonly DraftAction[]): readonly Blocker[] {
  const { server, schemas, internalReady } = planning.facts.catalog;
  const { role, database } = server;
  const missing = [
    ...missingSchemas(planning, actions),
    ...(internalReady || actions.length === 0 ? [] : ["weir_internal"]),
  ];
  const onDatabase: readonly Blocker[] =
    missing.length === 0 || server.mayCreateSchemas
      ? []
      : [right(role, "CREATE", `database ${database}`, `to create ${missing.join(", ")}`, [])];
  const used = new Set(actions.filter((action) => makes.has(action.kind)).map((action) => action.target.schema));
  const onSchemas = schemas
    .filter((schema) => used.has(schema.name) && !schema.mayCreate)
    .map((schema) => right(role, "CREATE", `schema ${schema.name}`, `owned by ${schema.owner}`, []));
  return [...onDatabase, ...onSchemas];
}

/** Kinds that the server lets only the owner do to something that is there already. */
const ownersOnly: ReadonlySet<DraftAction["kind"]> = new Set([
  "alter_table",
  "comment",
  "create_index",
  "drop_index",
  "drop_virtual_view",
  "fill_table",
  "load_seed",
  "recreate_virtual_view",
  "refresh_materialized_view",
  "replace_virtual_view",
  "set_access",
  "set_storage",
]);

function relationRights(planning: Planning, actions: readonly DraftAction[]): readonly Blocker[] {
  const made = new Set(actions.filter((action) => makes.has(action.kind)).map((action) => relationKey(action.target)));
  const targets = new Map<string, RelationName>();
  for (const action of actions) {
    const key = relationKey(action.target);
    if (ownersOnly.has(action.kind) && (!made.has(key) || action.kind === "recreate_virtual_view"))
      targets.set(key, action.target);
  }
  return [...targets.values()].flatMap((target) => {
    const relation = catalogRelation(planning, { schema: target.schema, name: target.name });
    if (relation === null || relation.mayAlter) return [];
    return [notOwner(planning, relation.name, relation.owner, relation.kind.replaceAll("_", " "))];
  });
}

/** A new version is given to the owner of the one before, which takes being a member of that role. */
function ownerRights(planning: Planning, all: readonly Materialised[]): readonly Blocker[] {
  const { server } = planning.facts.catalog;
  return all
    .filter((own) => own.decision.create && own.previous !== null)
    .flatMap((own) => {
      const before = catalogRelation(planning, own.previous?.relation);
      if (before === null || before.mayAlter || before.owner === server.role) return [];
      return [
        right(
          server.role,
          `membership in ${before.owner}`,
          relationKey(own.next.relation),
          "which takes over its owner",
          [],
        ),
      ];
    })
    .sort((a, b) => compareText(a.details.on ?? "", b.details.on ?? ""));
}

function notOwner(planning: Planning, name: RelationName, owner: string, type: string): Blocker {
  const objects = [{ object: objectOf(name, type), owner, columns: [] }];
  return right(planning.facts.catalog.server.role, "ownership", relationKey(name), `owned by ${owner}`, objects);
}

function right(role: string, what: string, on: string, why: string, objects: Blocker["objects"]): Blocker {
  return { code: "rights_missing", objects, details: { role, right: what, on, why } };
}
