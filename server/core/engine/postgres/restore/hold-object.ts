import { quoteIdentifier, quoteRelation, type RelationName } from "../../../base/relation-name.ts";
import { assertNever } from "../../../base/result.ts";
import type {
  Captured,
  CapturedColumn,
  CapturedFunction,
  CapturedMaterializedView,
  CapturedView,
  HostKind,
} from "../../../catalog/captured.ts";
import type { Grant } from "../../../catalog/catalog.ts";
import type { Statement } from "../../../plan/action.ts";
import { columnList } from "../column-list.ts";
import { servedStatement, type Timeouts } from "../statement.ts";
import { hostWords, routineForSql } from "./captured-names.ts";

/**
 * Keeps everybody else from changing an object until the transaction ends, so that what is read afterwards is what will
 * be dropped or replaced.
 *
 * None of it says what the object should be like, on purpose: `OWNER TO` the owner that was read, say, would silently
 * undo a change of owner since then, and the comparison that follows would find nothing.
 * - `SET SCHEMA` to the schema that it is in takes ACCESS EXCLUSIVE on that object alone and writes nothing (LOCK TABLE
 *   would go on to the tables below a view).
 * - Indexes, statistics and checks have no such statement, and most changes of the former don't touch their relation:
 *   they are given another name and their own again, which readers don't notice.
 * - GRANT by others waits for no relation lock before 18, only for a catalog row that somebody wrote. An owner's grant
 *   options are implied, so taking one away that isn't spelled out, or giving again one that is, writes the row and
 *   changes nothing. A column's row is written only while it has grants: REFERENCES, which is good for nothing on a
 *   view's columns (as TRUNCATE is on a view), is given and taken away again.
 *
 * `fate`: a relation that stays keeps its grants whoever gives one meanwhile, so nothing is written (a written access
 * list, though equal in meaning, would be a trace). Routines can't do without: replacing one waits for nothing else.
 */
export function holdStatements(
  captured: Captured,
  fate: "dropped" | "stays",
  timeouts: Timeouts,
): readonly Statement[] {
  return holdTexts(captured, fate).map((sql) => servedStatement(sql, LOCK, timeouts));
}

const LOCK = "ACCESS EXCLUSIVE";

function holdTexts(captured: Captured, fate: "dropped" | "stays"): readonly string[] {
  switch (captured.kind) {
    case "view":
    case "materialized_view":
      return fate === "stays" ? [lockRelation(captured)] : [lockRelation(captured), ...writeRelation(captured)];
    case "function":
      return holdFunction(captured);
    case "rule":
    case "trigger":
    case "default":
      return [lockHost(captured.on, captured.onKind)];
    case "policy":
      return [lockHost(captured.on, "table")];
    case "check":
      return renamedConstraint(captured.on, captured.constraint);
    case "index":
      return renamedObject("INDEX", captured.index);
    case "statistics":
      return renamedObject("STATISTICS", captured.statistics);
    default:
      return assertNever(captured);
  }
}

function lockRelation({ kind, relation }: CapturedView | CapturedMaterializedView): string {
  return staysInSchema(hostWords[kind], relation);
}

function lockHost(host: RelationName, kind: HostKind): string {
  return kind === "table"
    ? `LOCK TABLE ONLY ${quoteRelation(host)} IN ${LOCK} MODE`
    : staysInSchema(hostWords[kind], host);
}

function staysInSchema(word: string, relation: RelationName): string {
  return `ALTER ${word} ${quoteRelation(relation)} SET SCHEMA ${quoteIdentifier(relation.schema)}`;
}

function writeRelation(captured: CapturedView | CapturedMaterializedView): readonly string[] {
  const { relation, owner, columns, grants, rowType } = captured;
  const name = quoteRelation(relation);
  return [
    writeGrants("TRUNCATE", `TABLE ${name}`, owner, grants),
    ...writeColumns(name, owner, columns),
    writeGrants("USAGE", `TYPE ${name}`, owner, rowType.grants),
  ];
}

function writeGrants(privilege: string, on: string, owner: string, grants: readonly Grant[]): string {
  const role = quoteIdentifier(owner);
  return ownGrant(owner, privilege, grants)?.grantable === true
    ? `GRANT ${privilege} ON ${on} TO ${role} WITH GRANT OPTION`
    : `REVOKE GRANT OPTION FOR ${privilege} ON ${on} FROM ${role}`;
}

/** What the owner was given by name is given again. */
function writeColumns(name: string, owner: string, columns: readonly CapturedColumn[]): readonly string[] {
  const role = quoteIdentifier(owner);
  const of = (grantable: boolean | undefined): readonly string[] =>
    columns
      .filter((column) => ownGrant(owner, "REFERENCES", column.grants)?.grantable === grantable)
      .map((column) => column.name);
  const give = (names: readonly string[]) => `GRANT REFERENCES (${columnList(names)}) ON TABLE ${name} TO ${role}`;
  const [bare, given, grantable] = [of(undefined), of(false), of(true)];
  return [
    ...(bare.length === 0 ? [] : [give(bare), `REVOKE REFERENCES (${columnList(bare)}) ON TABLE ${name} FROM ${role}`]),
    ...(given.length === 0 ? [] : [give(given)]),
    ...(grantable.length === 0 ? [] : [`${give(grantable)} WITH GRANT OPTION`]),
  ];
}

function ownGrant(owner: string, privilege: string, grants: readonly Grant[]): Grant | undefined {
  return grants.find((grant) => grant.grantee === owner && grant.grantor === owner && grant.privilege === privilege);
}

function holdFunction(captured: CapturedFunction): readonly string[] {
  const routine = routineForSql(captured);
  return [
    `ALTER ${routine} SET SCHEMA ${quoteIdentifier(captured.schema)}`,
    writeGrants("EXECUTE", routine, captured.owner, captured.grants),
  ];
}

function renamedObject(word: "INDEX" | "STATISTICS", { schema, name }: RelationName): readonly string[] {
  return [
    `ALTER ${word} ${quoteRelation({ schema, name })} RENAME TO ${quoteIdentifier(HELD_NAME)}`,
    `ALTER ${word} ${quoteRelation({ schema, name: HELD_NAME })} RENAME TO ${quoteIdentifier(name)}`,
  ];
}

/** Takes the table's lock, whatever kind of table it is: LOCK TABLE refuses foreign ones. */
function renamedConstraint(on: RelationName, name: string): readonly string[] {
  const rename = `TABLE ${quoteRelation(on)} RENAME CONSTRAINT`;
  const [own, held] = [quoteIdentifier(name), quoteIdentifier(HELD_NAME)];
  return [`ALTER ${rename} ${own} TO ${held}`, `ALTER ${rename} ${held} TO ${own}`];
}

/** Nothing has it after the second statement, and before that nobody else sees it. */
const HELD_NAME = "__weir_held";
