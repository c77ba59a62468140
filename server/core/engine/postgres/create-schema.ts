import { quoteIdentifier } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";
import { buildStatement, type Timeouts } from "./statement.ts";

/** Two applies may need the same schema at once, so it does nothing where it exists. */
export function createSchemaStatements(schema: string, timeouts: Timeouts): readonly Statement[] {
  return [buildStatement(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(schema)}`, timeouts)];
}
