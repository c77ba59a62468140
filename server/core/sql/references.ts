import { findMentions } from "./relation-mentions.ts";
import type { SyntaxNode } from "./sql-parser.ts";

/** One place where a statement names a relation. */
export interface FoundReference {
  readonly name: { readonly schema: string | null; readonly name: string };
  /** The database part of a three-part name. */
  readonly catalog: string | null;
  /** Of the name, in UTF-8 bytes of the parsed text. */
  readonly offset: number;
  /** Its columns are read as a whole here. */
  readonly star: boolean;
}

/** Every place where the statement names a relation, in order of the text; names of CTEs are none. */
export function findReferences(statement: SyntaxNode): readonly FoundReference[] {
  return findMentions(statement).map((mention) => ({
    name: { schema: mention.schema, name: mention.name },
    catalog: mention.catalog,
    offset: mention.offset,
    star: mention.star,
  }));
}
