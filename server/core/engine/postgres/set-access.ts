import { quoteIdentifier, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Grant } from "../../catalog/catalog.ts";
import type { Statement } from "../../plan/action.ts";
import { columnList } from "./column-list.ts";
import { buildStatement, type Timeouts } from "./statement.ts";

export interface Access {
  /** Null leaves the owner as it is. */
  readonly owner: string | null;
  readonly grants: readonly Grant[];
  readonly columnGrants: readonly { readonly column: string; readonly grant: Grant }[];
}

/** Owner first: grants given before it would be recorded under another grantor. */
export function setAccessStatements(
  target: { readonly relation: RelationName; readonly type: "VIEW" | "MATERIALIZED VIEW" | "TABLE" },
  access: Access,
  timeouts: Timeouts,
): readonly Statement[] {
  const name = quoteRelation(target.relation);
  const owner = access.owner === null ? [] : [`ALTER ${target.type} ${name} OWNER TO ${quoteIdentifier(access.owner)}`];
  const grants = access.grants.map(
    (grant) => `GRANT ${grant.privilege} ON ${name} TO ${grantee(grant)}${option(grant)}`,
  );
  const columns = access.columnGrants.map(
    ({ column, grant }) =>
      `GRANT ${grant.privilege} (${columnList([column])}) ON ${name} TO ${grantee(grant)}${option(grant)}`,
  );
  return [...owner, ...grants, ...columns].map((sql) => buildStatement(sql, timeouts));
}

function grantee(grant: Grant): string {
  return grant.grantee === "PUBLIC" ? "PUBLIC" : quoteIdentifier(grant.grantee);
}

function option(grant: Grant): string {
  return grant.grantable ? " WITH GRANT OPTION" : "";
}
