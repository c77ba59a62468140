import { compareText } from "../../../core/base/relation-name.ts";
import { assertNever } from "../../../core/base/result.ts";
import type { Captured, RestoreRights } from "../../../core/catalog/captured.ts";
import type { Grant } from "../../../core/catalog/catalog.ts";
import type { Query, RunQuery } from "../query.ts";

/** For each object in turn, what the applying role may do with it. Two questions, whatever there are of objects. */
export async function readRights(run: RunQuery, objects: readonly Captured[]): Promise<readonly RestoreRights[]> {
  if (objects.length === 0) return [];
  const grantors = new Map(objects.map((each) => [each, otherGrantors(each)]));
  const roles = [...new Set([...objects.map((each) => each.owner), ...[...grantors.values()].flat()])];
  const byRole = new Map((await run(rolesQuery(roles))).map((row) => [row.role, row]));
  const places = distinctPlaces(objects, grantors);
  const byPlace = new Map((await run(placesQuery(places))).map((row) => [placeKey(row.schema, row.owner), row]));
  return objects.map((each): RestoreRights => {
    const role = byRole.get(each.owner);
    const place = byPlace.get(placeKey(each.object.schema, each.owner));
    const created = madeInSchema(each);
    return {
      object: each.object,
      mayAlter: role?.may_use ?? false,
      mayGiveBack: role?.may_become ?? false,
      ownerMayCreate: created !== "given to its owner" || (place?.owner_may_create ?? false),
      roleMayCreate: created === "no" || (place?.role_may_create ?? false),
      grantorsOutOfReach: (grantors.get(each) ?? []).filter(
        (grantor) =>
          byRole.get(grantor)?.may_become !== true ||
          byPlace.get(placeKey(each.object.schema, grantor))?.owner_may_use !== true,
      ),
    };
  });
}

/** Who has to be become in order to grant again what they had granted. Sorted. */
function otherGrantors(captured: Captured): readonly string[] {
  const grantors = new Set(grantsOf(captured).map((grant) => grant.grantor));
  grantors.delete(captured.owner);
  return [...grantors].sort(compareText);
}

function grantsOf(captured: Captured): readonly Grant[] {
  switch (captured.kind) {
    case "view":
    case "materialized_view":
      return [...captured.grants, ...captured.rowType.grants, ...captured.columns.flatMap((column) => column.grants)];
    case "function":
      return captured.grants;
    case "index":
    case "statistics":
    case "rule":
    case "trigger":
    case "policy":
    case "default":
    case "check":
      return [];
    default:
      return assertNever(captured);
  }
}

/** Whether making it asks for CREATE on its schema, and whether its owner is asked for that too. */
function madeInSchema(captured: Captured): "no" | "yes" | "given to its owner" {
  switch (captured.kind) {
    case "view":
    case "materialized_view":
    case "statistics":
    case "function":
      return "given to its owner";
    case "index":
      return "yes";
    case "rule":
    case "trigger":
    case "policy":
    case "default":
    case "check":
      return "no";
    default:
      return assertNever(captured);
  }
}

interface Place {
  readonly schema: string;
  readonly owner: string;
}

/** Of owners, who must be able to create there, and of grantors, who must be able to name what they grant on. */
function distinctPlaces(
  objects: readonly Captured[],
  grantors: ReadonlyMap<Captured, readonly string[]>,
): readonly Place[] {
  const places = objects.flatMap((each) =>
    [each.owner, ...(grantors.get(each) ?? [])].map((owner): Place => ({ schema: each.object.schema, owner })),
  );
  return [...new Map(places.map((place) => [placeKey(place.schema, place.owner), place])).values()];
}

function placeKey(schema: string, owner: string): string {
  return JSON.stringify([schema, owner]);
}

interface RoleRow {
  readonly role: string;
  readonly may_use: boolean;
  readonly may_become: boolean;
}

function rolesQuery(roles: readonly string[]): Query<RoleRow> {
  return { text: ROLES, values: [roles] };
}

/**
 * Up to 15 every member may become the role; from 16 on that is a right of its own, and one may inherit from a role
 * without being able to give anything back to it. Superusers may do all of it.
 */
const ROLES = `
SELECT r.rolname::text AS role, pg_catalog.pg_has_role(current_user, r.oid, 'USAGE') AS may_use,
       pg_catalog.pg_has_role(current_user, r.oid,
         CASE WHEN pg_catalog.current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)
         AS may_become
  FROM pg_catalog.pg_roles r
 WHERE r.rolname = ANY ($1::text[])`;

interface PlaceRow extends Place {
  readonly owner_may_create: boolean;
  readonly owner_may_use: boolean;
  readonly role_may_create: boolean;
}

function placesQuery(places: readonly Place[]): Query<PlaceRow> {
  return { text: PLACES, values: [places.map((place) => place.schema), places.map((place) => place.owner)] };
}

/** Whether the owner may create isn't asked when a superuser makes the object and gives it away. */
const PLACES = `
SELECT n.nspname::text AS schema, o.rolname::text AS owner,
       me.rolsuper OR pg_catalog.has_schema_privilege(o.oid, n.oid, 'CREATE') AS owner_may_create,
       pg_catalog.has_schema_privilege(o.oid, n.oid, 'USAGE') AS owner_may_use,
       pg_catalog.has_schema_privilege(me.oid, n.oid, 'CREATE') AS role_may_create
  FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS w(schema, owner)
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_roles o ON o.rolname = w.owner
 CROSS JOIN (SELECT r.oid, r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user) me`;
