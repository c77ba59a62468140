/**
 * Names of database relations, held as the catalog holds them: already folded, never quoted.
 * Quoting happens only where SQL text is written. Source of the rules: PostgreSQL "Identifiers and Key Words".
 */
export interface RelationName {
  readonly schema: string;
  readonly name: string;
}

/** Postgres cuts identifiers silently at 63 bytes (NAMEDATALEN - 1); two cut names can collide, so we refuse instead. */
export const MAX_IDENTIFIER_BYTES = 63;

export function relationName(schema: string, name: string): RelationName {
  return { schema, name };
}

/** A text that is unique for a relation, to key records and sets. Equal to the SQL spelling, every part quoted as needed. */
export function relationKey(relation: RelationName): string {
  return `${displayIdentifier(relation.schema)}.${displayIdentifier(relation.name)}`;
}

/** For SQL: always quoted, so that no keyword and no letter case can change its meaning. */
export function quoteIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** For people and keys: quoted only where Postgres would fold or refuse the bare word. */
export function displayIdentifier(identifier: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(identifier) ? identifier : quoteIdentifier(identifier);
}

export function quoteRelation(relation: RelationName): string {
  return `${quoteIdentifier(relation.schema)}.${quoteIdentifier(relation.name)}`;
}

/** A string literal, safe whatever standard_conforming_strings says: backslashes force the E form. */
export function quoteLiteral(text: string): string {
  const body = text.replaceAll("'", "''");
  return body.includes("\\") ? `E'${body.replaceAll("\\", "\\\\")}'` : `'${body}'`;
}

/** Postgres folds unquoted identifiers to lower case, ASCII letters only in a UTF-8 database. */
export function foldIdentifier(identifier: string): string {
  return identifier.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Cuts at a character border, as the server does, so that what we compare is what the server would store. */
export function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let result = "";
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > limit) break;
    result += character;
  }
  return result;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
