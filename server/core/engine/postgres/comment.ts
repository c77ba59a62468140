import { quoteIdentifier, quoteLiteral, quoteRelation, type RelationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { buildStatement, servedStatement, type Timeouts } from "./statement.ts";

/** What people are told about a relation. A null text takes the comment away. */
export interface Comments {
  readonly relation: string | null | undefined;
  readonly columns: readonly (readonly [column: string, text: string | null])[];
}

/** Readers go on while it is set (SHARE UPDATE EXCLUSIVE). */
export function commentStatements(
  target: {
    readonly relation: RelationName;
    readonly type: "VIEW" | "MATERIALIZED VIEW" | "TABLE";
    readonly served: boolean;
  },
  comments: Comments,
  timeouts: Timeouts,
): readonly Statement[] {
  const name = quoteRelation(target.relation);
  const texts = [
    ...(comments.relation === undefined
      ? []
      : [`COMMENT ON ${target.type} ${name} IS ${commentText(comments.relation)}`]),
    ...comments.columns.map(
      ([column, text]) => `COMMENT ON COLUMN ${name}.${quoteIdentifier(column)} IS ${commentText(text)}`,
    ),
  ];
  return texts.map((sql) =>
    target.served ? servedStatement(sql, "SHARE UPDATE EXCLUSIVE", timeouts) : buildStatement(sql, timeouts),
  );
}

function commentText(text: string | null): string {
  return text === null ? "NULL" : quoteLiteral(text);
}
