import { quoteIdentifier, quoteRelation } from "../../../base/relation-name.ts";
import { assertNever } from "../../../base/result.ts";
import type { Captured, CapturedFunction, HostKind } from "../../../catalog/captured.ts";

/** The word for a host in ALTER …: one that the server takes for the kind, so that no other can be hit. */
export const hostWords: Readonly<Record<HostKind, string>> = {
  table: "TABLE",
  view: "VIEW",
  materialized_view: "MATERIALIZED VIEW",
  foreign_table: "FOREIGN TABLE",
};

/** The object as DROP, COMMENT ON and the like name it: its kind, then its name. */
export function namedForSql(captured: Captured): string {
  switch (captured.kind) {
    case "view":
      return `VIEW ${quoteRelation(captured.relation)}`;
    case "materialized_view":
      return `MATERIALIZED VIEW ${quoteRelation(captured.relation)}`;
    case "index":
      return `INDEX ${quoteRelation(captured.index)}`;
    case "statistics":
      return `STATISTICS ${quoteRelation(captured.statistics)}`;
    case "rule":
      return `RULE ${quoteIdentifier(captured.rule)} ON ${quoteRelation(captured.on)}`;
    case "trigger":
      return `TRIGGER ${quoteIdentifier(captured.trigger)} ON ${quoteRelation(captured.on)}`;
    case "policy":
      return `POLICY ${quoteIdentifier(captured.policy)} ON ${quoteRelation(captured.on)}`;
    case "check":
      return `CONSTRAINT ${quoteIdentifier(captured.constraint)} ON ${quoteRelation(captured.on)}`;
    case "default":
      return `COLUMN ${quoteRelation(captured.on)}.${quoteIdentifier(captured.column)}`;
    case "function":
      return routineForSql(captured);
    default:
      return assertNever(captured);
  }
}

export function routineForSql(captured: CapturedFunction): string {
  return `${captured.routine === "procedure" ? "PROCEDURE" : "FUNCTION"} ${captured.signature}`;
}

/** As the server printed it, without what would end the statement. */
export function definitionText(definition: string): string {
  return definition.replace(/[\s;]+$/, "");
}
