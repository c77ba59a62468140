import { displayIdentifier } from "../base/relation-name.ts";
import type { Findings } from "../base/source-file.ts";
import type { SqlParser, SyntaxNode, SyntaxValue } from "../sql/sql-parser.ts";
import { isList, isNode, listAt, nodeAt, stringOf, tagOf } from "../sql/syntax.ts";
import { kindCapabilities } from "./model-kind.ts";
import type { Header, Placed } from "./read-header.ts";
import type { DeclaredKind } from "./read-kind.ts";

/** What only the grammar or the kind can tell about a header: types, expressions, indexes. */
export function checkHeader(header: Header, kind: Placed<DeclaredKind>, parser: SqlParser, findings: Findings): void {
  checkColumns(header, parser, findings);
  checkPartitioning(header, kind, parser, findings);
  checkPhysicalProperties(header.physicalProperties, kind.value, parser, findings);
}

function checkColumns({ columns }: Header, parser: SqlParser, findings: Findings): void {
  for (const { name, type } of columns?.value ?? []) {
    const cast = parseExpression(parser, `NULL::${type}`);
    const typeCast = nodeAt(cast, "TypeCast");
    if (typeCast === null || tagOf(typeCast.arg) !== "A_Const") {
      findings.invalid(`${type} can't be the type of the column ${displayIdentifier(name)}.`, columns?.at ?? 0);
    }
  }
}

function checkPartitioning(
  { partitionedBy }: Header,
  kind: Placed<DeclaredKind>,
  parser: SqlParser,
  findings: Findings,
): void {
  const { relation, label } = kindCapabilities[kind.value.kind];
  const [first] = partitionedBy;
  if (first === undefined) {
    if (kind.value.kind === "incremental_by_partition") {
      findings.invalid(
        "INCREMENTAL_BY_PARTITION needs partitioned_by: the key whose partitions are replaced.",
        kind.at,
      );
    }
    return;
  }
  if (relation !== "table" && relation !== "materialized_view") {
    findings.invalid(`A ${label} model can't have partitioned_by.`, first.at);
    return;
  }
  for (const { value, at } of partitionedBy) {
    const expression = parseExpression(parser, value);
    if (expression === null) findings.invalid(`${value} can't be read as an expression.`, at);
    else if (countColumns(expression) !== 1)
      findings.invalid(`${value} must name exactly one column of the model.`, at);
  }
}

function checkPhysicalProperties(
  properties: Placed<Header["physicalProperties"]["value"]>,
  kind: DeclaredKind,
  parser: SqlParser,
  findings: Findings,
): void {
  if (properties.value.partition_by !== undefined) {
    findings.unsupported(
      "Native partitioning (partition_by)",
      "Take it out; partitioned_by alone is logical.",
      properties.at,
    );
  }
  const { indexes } = properties.value;
  if (indexes === undefined) return;
  const { relation, label } = kindCapabilities[kind.kind];
  if (relation !== "table" && relation !== "materialized_view")
    findings.invalid(`A ${label} model can't have indexes.`, properties.at);
  for (const index of Array.isArray(indexes) ? indexes : []) {
    const sql = createIndex(String(index));
    const parsed = parser.parse(sql);
    const [statement, more] = parsed.ok ? parsed.statements : [];
    if (statement === undefined || more !== undefined || tagOf(statement.node) !== "IndexStmt") {
      findings.invalid(
        `The index '${index}' can't be read. It is what follows CREATE INDEX ON t, for example 'UNIQUE (id)'.`,
        properties.at,
      );
    }
  }
}

/** An index text may begin with UNIQUE, which the statement wants in another place. */
function createIndex(text: string): string {
  const unique = /^\s*unique\b/i.exec(text);
  return unique === null ? `CREATE INDEX ON t ${text}` : `CREATE UNIQUE INDEX ON t ${text.slice(unique[0].length)}`;
}

/** The fields of a SELECT that has nothing but its columns. */
const PLAIN = new Set(["targetList", "limitOption", "op"]);

/** The tree of one expression; null where the text isn't exactly one. */
function parseExpression(parser: SqlParser, text: string): SyntaxNode | null {
  const parsed = parser.parse(`SELECT (${text}\n)`);
  if (!parsed.ok || parsed.statements.length !== 1) return null;
  const select = nodeAt(parsed.statements[0]?.node, "SelectStmt");
  const targets = listAt(select, "targetList");
  if (select === null || targets.length !== 1 || Object.keys(select).some((field) => !PLAIN.has(field))) return null;
  const value = nodeAt(targets[0], "ResTarget")?.val;
  return isNode(value) && tagOf(value) !== "RowExpr" ? value : null;
}

function countColumns(expression: SyntaxNode): number {
  const names = new Set<string>();
  const open: SyntaxValue[] = [expression];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const column = nodeAt(value, "ColumnRef");
    if (column !== null)
      names.add(
        listAt(column, "fields")
          .map((field) => stringOf(field) ?? "*")
          .join("."),
      );
    const members = isList(value) ? value : isNode(value) ? Object.values(value) : [];
    open.push(...members.filter((member) => isNode(member) || isList(member)));
  }
  return names.size;
}
