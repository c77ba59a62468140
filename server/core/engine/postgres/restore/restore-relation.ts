import { quoteIdentifier, quoteRelation, type RelationName } from "../../../base/relation-name.ts";
import type { CapturedColumn, CapturedMaterializedView, CapturedView } from "../../../catalog/captured.ts";
import type { Grant } from "../../../catalog/catalog.ts";
import type { Statement } from "../../../plan/action.ts";
import { heldStatement } from "../statement.ts";
import { hostWords } from "./captured-names.ts";
import { granteesByDefault, type RestoreContext } from "./restore-context.ts";
import { restoreGrantsStatements } from "./restore-grants.ts";
import { columnRemarkTexts, remarkTexts, rowTypeRemarkTexts } from "./restore-remarks.ts";

/**
 * What a view or materialized view that has just been made carries beside its query: defaults, owner, grants, those of
 * its row type, comments, labels, extensions. The owner comes before the grants, which are recorded as theirs.
 */
export function restoreCarriedStatements(
  captured: CapturedView | CapturedMaterializedView,
  columns: readonly CapturedColumn[],
  context: RestoreContext,
): readonly Statement[] {
  const { kind, relation, owner, extensions } = captured;
  const alter = `ALTER ${hostWords[kind]} ${quoteRelation(relation)}`;
  const plain = (texts: readonly string[]) => texts.map((sql) => heldStatement(sql, context.timeouts));
  return [
    ...plain(defaultTexts(alter, columns)),
    ...plain(ownerTexts(alter, owner, context)),
    ...relationGrants(captured, columns, context),
    ...rowTypeGrants(captured, context),
    ...plain(remarkTexts(captured)),
    ...plain(columnRemarkTexts(relation, columns)),
    ...plain(rowTypeRemarkTexts(relation, captured.rowType)),
    ...plain(extensionTexts(alter, extensions)),
  ];
}

function defaultTexts(alter: string, columns: readonly CapturedColumn[]): readonly string[] {
  return columns.flatMap(({ name, defaultExpression }) =>
    defaultExpression === null
      ? []
      : [`${alter} ALTER COLUMN ${quoteIdentifier(name)} SET DEFAULT ${defaultExpression}`],
  );
}

/** What the applying role makes is its own already. */
export function ownerTexts(alter: string, owner: string, context: RestoreContext): readonly string[] {
  return owner === context.role ? [] : [`${alter} OWNER TO ${quoteIdentifier(owner)}`];
}

export function extensionTexts(alter: string, extensions: readonly string[]): readonly string[] {
  return extensions.map((extension) => `${alter} DEPENDS ON EXTENSION ${quoteIdentifier(extension)}`);
}

function relationGrants(
  { relation, owner, grants }: CapturedView | CapturedMaterializedView,
  columns: readonly CapturedColumn[],
  context: RestoreContext,
): readonly Statement[] {
  const placed = [
    ...grants.map((grant) => ({ column: null, grant })),
    ...columns.flatMap((column) => column.grants.map((grant) => ({ column: column.name, grant }))),
  ];
  const byDefault = granteesByDefault(context, relation.schema, "relations");
  return restoreGrantsStatements(`TABLE ${quoteRelation(relation)}`, owner, placed, byDefault, context);
}

/** Hardly anybody grants on a row type, so the usual case gets no statements. */
function rowTypeGrants(
  { relation, owner, rowType }: CapturedView | CapturedMaterializedView,
  context: RestoreContext,
): readonly Statement[] {
  const byDefault = granteesByDefault(context, relation.schema, "types");
  if (byDefault.length === 0 && asNew(owner, rowType.grants)) return [];
  const placed = rowType.grants.map((grant) => ({ column: null, grant }));
  return restoreGrantsStatements(typeName(relation), owner, placed, byDefault, context);
}

/** acldefault of a type: USAGE for its owner and for everybody. */
function asNew(owner: string, grants: readonly Grant[]): boolean {
  const usual = (grantee: string) =>
    grants.some((grant) => grant.grantor === owner && grant.grantee === grantee && !grant.grantable);
  return grants.length === 2 && usual(owner) && usual("PUBLIC");
}

function typeName(relation: RelationName): string {
  return `TYPE ${quoteRelation(relation)}`;
}
