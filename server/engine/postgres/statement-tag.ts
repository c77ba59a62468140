import type { StatementTag } from "../../ports/warehouse.ts";
import type { Query } from "./query.ts";

/** Puts in front of a statement whose it is, for whoever reads pg_stat_activity or the server's log. */
export function tagStatement(tag: StatementTag, sql: string): string {
  return `/* WEIR plan=${word(tag.plan)} stage=${word(tag.stage)} */ ${sql}`;
}

export function tagQuery<Row>(tag: StatementTag, query: Query<Row>): Query<Row> {
  return { ...query, text: tagStatement(tag, query.text.trimStart()) };
}

/** Nothing that could end the comment early. */
function word(text: string): string {
  return text.replace(/[^\w.-]/g, "_");
}
