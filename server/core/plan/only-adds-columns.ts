import type { Model } from "../model/model.ts";
import type { ColumnChanges } from "../snapshot/output-column.ts";
import { canonicalStatement } from "../sql/canonical.ts";
import type { SqlParser, SyntaxNode, SyntaxValue } from "../sql/sql-parser.ts";
import type { Reason } from "./decision.ts";
import type { OwnChange } from "./own-change.ts";

/** Non-breaking: the query is all that changed in the model, it only adds columns, and the server's shape agrees. */
export function addsColumnsAlone(
  before: Model | null,
  after: Model,
  own: OwnChange,
  columns: ColumnChanges,
  parser: SqlParser,
): boolean {
  if (own.reasons.some(({ code }) => ALSO_CHANGED.has(code))) return false;
  if (columns.added.length === 0 || columns.removed.length > 0 || columns.retyped.length > 0) return false;
  const [old, now] = [before?.query ?? null, after.query];
  return old !== null && now !== null && onlyAddsColumns(old.expanded, now.expanded, parser);
}

const ALSO_CHANGED: ReadonlySet<Reason["code"]> = new Set([
  "new_model",
  "kind_changed",
  "partitioning_changed",
  "statements_changed",
  "seed_changed",
  "columns_changed",
  "properties_changed",
  "embedded_changed",
  "external_columns_changed",
]);

/**
 * Whether `after` is `before` with more columns in its select list and nothing else: the old list is an ordered part of
 * the new one, and what came in can neither change which rows there are nor be named by a clause. Conservative: grouped,
 * sorted, distinct and combined queries, functions, subqueries and `*` among the added are never "only added".
 */
export function onlyAddsColumns(before: string, after: string, parser: SqlParser): boolean {
  const [old, now] = [plainSelect(before, parser), plainSelect(after, parser)];
  if (old === null || now === null) return false;
  if (canonicalStatement({ ...old, targetList: null }) !== canonicalStatement({ ...now, targetList: null }))
    return false;
  const kept = listOf(old.targetList).map(canonicalItem);
  const added: SyntaxValue[] = [];
  for (const item of listOf(now.targetList)) {
    if (canonicalItem(item) === kept[0]) kept.shift();
    else added.push(item);
  }
  return kept.length === 0 && added.length > 0 && added.every(isHarmless);
}

/** Clauses that look at the select list, by number or by name, or that make its length matter. */
const BOUND_TO_LIST = ["distinctClause", "groupClause", "havingClause", "sortClause", "valuesLists", "intoClause"];

/** Constants, columns and what is computed from them value by value. */
const HARMLESS_NODES = new Set([
  "A_Const",
  "A_Expr",
  "BoolExpr",
  "BooleanTest",
  "CaseExpr",
  "CaseWhen",
  "CoalesceExpr",
  "ColumnRef",
  "List",
  "MinMaxExpr",
  "NullTest",
  "ResTarget",
  "String",
  "TypeCast",
  "TypeName",
]);

function plainSelect(sql: string, parser: SqlParser): SyntaxNode | null {
  const outcome = parser.parse(sql);
  const statement = outcome.ok && outcome.statements.length === 1 ? outcome.statements[0] : undefined;
  const select = statement?.node.SelectStmt;
  if (!isNode(select) || (select.op ?? "SETOP_NONE") !== "SETOP_NONE") return null;
  return BOUND_TO_LIST.some((clause) => select[clause] !== undefined) ? null : select;
}

function canonicalItem(item: SyntaxValue): string {
  return JSON.stringify(canonicalStatement({ item }));
}

function isHarmless(item: SyntaxValue): boolean {
  if (Array.isArray(item)) return item.every(isHarmless);
  if (!isNode(item)) return true;
  return Object.entries(item).every(([field, value]) => {
    // Node names begin with a capital letter, fields of nodes don't.
    if (/^[A-Z]/.test(field) && !HARMLESS_NODES.has(field)) return false;
    return isHarmless(value);
  });
}

function listOf(value: SyntaxValue): readonly SyntaxValue[] {
  return Array.isArray(value) ? value : [];
}

function isNode(value: SyntaxValue): value is SyntaxNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
