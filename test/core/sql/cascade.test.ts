import { beforeAll, expect, it } from "vitest";
import { asksForCascade } from "../../../server/core/sql/cascade.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

function asks(sql: string): boolean {
  const parsed = parser.parse(sql);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.statements.some((statement) => asksForCascade(statement.node));
}

it.each([
  "DROP TABLE a CASCADE",
  "drop view if exists s.v cascade",
  "DROP MATERIALIZED VIEW a, b CASCADE",
  "DROP SCHEMA s CASCADE",
  "DROP OWNED BY r CASCADE",
  "ALTER TABLE a DROP COLUMN b CASCADE",
  "ALTER TABLE a ADD COLUMN c int, DROP CONSTRAINT b CASCADE",
  "ALTER TYPE t DROP ATTRIBUTE a CASCADE",
  "TRUNCATE a, b CASCADE",
  "REVOKE SELECT ON a FROM r CASCADE",
  "REVOKE admin FROM r CASCADE",
  "DO $$ BEGIN DROP TABLE a CASCADE; END $$",
  "DO $$ BEGIN EXECUTE 'drop table a Cascade'; END $$",
])("is found in: %s", (sql) => {
  expect(asks(sql)).toBe(true);
});

it.each([
  "DROP TABLE a",
  "DROP TABLE a RESTRICT",
  "TRUNCATE a",
  "REVOKE SELECT ON a FROM r",
  "SELECT 'DROP TABLE a CASCADE'",
  "SELECT cascade FROM t -- CASCADE",
  "CREATE VIEW v AS SELECT 1 AS a WITH CASCADED CHECK OPTION",
  "CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE ON UPDATE CASCADE)",
  "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c ON DELETE CASCADE",
  "DO $$ BEGIN ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c ON DELETE CASCADE; END $$",
  "CREATE EXTENSION x CASCADE",
])("is not seen in: %s", (sql) => {
  expect(asks(sql)).toBe(false);
});
