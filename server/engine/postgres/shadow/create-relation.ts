import { quoteIdentifier, quoteRelation, type RelationName } from "../../../core/base/relation-name.ts";
import type { Refusal, Session } from "../session.ts";

const SAVEPOINT = "weir_shape";

/** Tries a statement without losing the transaction: whatever the server says, what was made before stays. */
export async function tryStatement(session: Session, sql: string): Promise<Refusal | null> {
  await session.execute(`SAVEPOINT ${SAVEPOINT}`);
  const refusal = await session.attempt(sql);
  if (refusal !== null) await session.execute(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`);
  await session.execute(`RELEASE SAVEPOINT ${SAVEPOINT}`);
  return refusal;
}

/** What the server says about a query, with the place counted in UTF-16 units from the query's own beginning. */
export interface QueryRefusal {
  readonly sqlstate: string;
  readonly message: string;
  readonly offset: number | null;
}

export async function tryView(session: Session, relation: RelationName, query: string): Promise<QueryRefusal | null> {
  const prefix = `CREATE VIEW ${quoteRelation(relation)} AS\n`;
  // A query may end in a comment, which would swallow what follows on its line.
  const refusal = await tryStatement(session, `${prefix}${query}\n`);
  if (refusal === null) return null;
  const { sqlstate, message, position } = refusal;
  return {
    sqlstate,
    message,
    offset: position === null ? null : offsetInQuery(query, position - 1 - [...prefix].length),
  };
}

/** The server counts characters; JavaScript counts a character outside the basic plane as two. */
function offsetInQuery(query: string, characters: number): number | null {
  if (characters < 0) return null;
  let offset = 0;
  let left = characters;
  for (const character of query) {
    if (left === 0) return offset;
    left -= 1;
    offset += character.length;
  }
  return left === 0 ? offset : null;
}

export function columnDefinition(column: {
  readonly name: string;
  readonly type: string;
  readonly collation?: string | null;
}): string {
  const collate = column.collation === null || column.collation === undefined ? "" : ` COLLATE ${column.collation}`;
  return `${quoteIdentifier(column.name)} ${column.type}${collate}`;
}

/** `type "geometry" does not exist` is what a person needs to hear without its verb: `type "geometry"`. */
export function whatIsMissing(message: string): string {
  return message.replace(/ does not exist$/, "");
}
