import { quoteIdentifier, quoteLiteral, quoteRelation, type RelationName } from "../../../base/relation-name.ts";
import type { Captured, CapturedColumn, CapturedRowType, SecurityLabel } from "../../../catalog/captured.ts";
import { namedForSql } from "./captured-names.ts";

/** The texts of COMMENT and SECURITY LABEL, only where there is something to say: a new object has none. */
export function remarkTexts(captured: Captured): readonly string[] {
  const on = namedForSql(captured);
  return [...commentText(on, captured.comment), ...labelTexts(on, captured.labels)];
}

export function columnRemarkTexts(relation: RelationName, columns: readonly CapturedColumn[]): readonly string[] {
  return columns.flatMap((column) => {
    const on = `COLUMN ${quoteRelation(relation)}.${quoteIdentifier(column.name)}`;
    return [...commentText(on, column.comment), ...labelTexts(on, column.labels)];
  });
}

export function rowTypeRemarkTexts(relation: RelationName, rowType: CapturedRowType): readonly string[] {
  const on = `TYPE ${quoteRelation(relation)}`;
  return [...commentText(on, rowType.comment), ...labelTexts(on, rowType.labels)];
}

function commentText(on: string, comment: string | null): readonly string[] {
  return comment === null ? [] : [`COMMENT ON ${on} IS ${quoteLiteral(comment)}`];
}

function labelTexts(on: string, labels: readonly SecurityLabel[]): readonly string[] {
  return labels.map(
    ({ provider, label }) => `SECURITY LABEL FOR ${quoteIdentifier(provider)} ON ${on} IS ${quoteLiteral(label)}`,
  );
}
