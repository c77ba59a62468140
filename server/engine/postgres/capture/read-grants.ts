import { compareText } from "../../../core/base/relation-name.ts";
import type { Grant } from "../../../core/catalog/catalog.ts";
import type { Query, RunQuery } from "../query.ts";

/** What an access list gives to whom, by its text; an absent list gives nothing. */
export type GrantsIn = (acl: string | null) => readonly Grant[];

/**
 * Access lists as the server prints them are read by the server as well, each different one once: most objects have the
 * default of an owner, and which letter stands for which privilege changes with the version.
 */
export async function readGrants(run: RunQuery, lists: readonly (string | null)[]): Promise<GrantsIn> {
  const distinct = [...new Set(lists.filter((list) => list !== null && list !== EMPTY))];
  const rows = distinct.length === 0 ? [] : await run(grantsQuery(distinct));
  const byList = new Map<string, Grant[]>();
  for (const { acl, grantor, grantee, privilege, grantable } of rows) {
    const grants = byList.get(acl);
    const grant: Grant = { grantor, grantee, privilege, grantable };
    if (grants === undefined) byList.set(acl, [grant]);
    else grants.push(grant);
  }
  for (const grants of byList.values()) grants.sort(compareGrants);
  return (acl) => (acl === null ? NOTHING : (byList.get(acl) ?? NOTHING));
}

/** Of an object that everything was taken away from, its owner's own rights too. */
const EMPTY = "{}";

const NOTHING: readonly Grant[] = [];

function compareGrants(a: Grant, b: Grant): number {
  return (
    compareText(a.grantee, b.grantee) || compareText(a.privilege, b.privilege) || compareText(a.grantor, b.grantor)
  );
}

interface GrantRow extends Grant {
  readonly acl: string;
}

function grantsQuery(lists: readonly (string | null)[]): Query<GrantRow> {
  return { text: TEXT, values: [lists.map(String)] };
}

const TEXT = `
SELECT w.acl, pg_catalog.pg_get_userbyid(x.grantor)::text AS grantor,
       CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(x.grantee)::text END AS grantee,
       x.privilege_type AS privilege, x.is_grantable AS grantable
  FROM pg_catalog.unnest($1::text[]) AS w(acl)
 CROSS JOIN LATERAL pg_catalog.aclexplode(w.acl::pg_catalog.aclitem[]) x`;
