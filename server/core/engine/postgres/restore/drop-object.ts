import { quoteIdentifier, quoteRelation } from "../../../base/relation-name.ts";
import type { Captured } from "../../../catalog/captured.ts";
import type { Statement } from "../../../plan/action.ts";
import { servedStatement, type Timeouts } from "../statement.ts";
import { hostWords, namedForSql } from "./captured-names.ts";

/** That object and nothing else: RESTRICT, so that the server refuses where something depends on it that we missed. */
export function dropStatements(captured: Captured, timeouts: Timeouts): readonly Statement[] {
  return [servedStatement(dropText(captured), "ACCESS EXCLUSIVE", timeouts)];
}

function dropText(captured: Captured): string {
  switch (captured.kind) {
    case "default": {
      // ONLY: tables that inherit the column have a default of their own.
      const only = captured.onKind === "table" ? "ONLY " : "";
      const host = `${hostWords[captured.onKind]} ${only}${quoteRelation(captured.on)}`;
      return `ALTER ${host} ALTER COLUMN ${quoteIdentifier(captured.column)} DROP DEFAULT`;
    }
    case "check":
      return `ALTER TABLE ${quoteRelation(captured.on)} DROP CONSTRAINT ${quoteIdentifier(captured.constraint)} RESTRICT`;
    default:
      return `DROP ${namedForSql(captured)} RESTRICT`;
  }
}
