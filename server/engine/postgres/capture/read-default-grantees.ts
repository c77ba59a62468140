import { compareText } from "../../../core/base/relation-name.ts";
import type { DefaultGrantees } from "../../../core/catalog/captured.ts";
import type { Query, RunQuery } from "../query.ts";

/** One entry for each schema, sorted by it. */
export async function readDefaultGrantees(
  run: RunQuery,
  schemas: readonly string[],
): Promise<readonly DefaultGrantees[]> {
  if (schemas.length === 0) return [];
  const rows = await run(defaultGranteesQuery(schemas));
  return [...schemas].sort(compareText).map((schema): DefaultGrantees => {
    const of = (objtype: string): readonly string[] => {
      const found = rows.filter((row) => row.schema === schema && row.objtype === objtype);
      return found.map((row) => row.grantee).sort(compareText);
    };
    return { schema, relations: of("r"), functions: of("f"), types: of("T") };
  });
}

interface DefaultGranteeRow {
  readonly schema: string;
  readonly objtype: string;
  readonly grantee: string;
}

function defaultGranteesQuery(schemas: readonly string[]): Query<DefaultGranteeRow> {
  return { text: TEXT, values: [schemas] };
}

/**
 * Those for everything (in no schema) and those for the schema add up. What the role gives itself turns into the new
 * owner's own when the object is given away, so it isn't among them.
 */
const TEXT = `
SELECT DISTINCT w.schema, d.defaclobjtype::text AS objtype,
       CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(x.grantee)::text END AS grantee
  FROM pg_catalog.unnest($1::text[]) AS w(schema)
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_default_acl d ON d.defaclnamespace IN (0, n.oid)
  JOIN pg_catalog.pg_roles r ON r.oid = d.defaclrole AND r.rolname = current_user
 CROSS JOIN LATERAL pg_catalog.aclexplode(d.defaclacl) x
 WHERE x.grantee <> d.defaclrole`;
