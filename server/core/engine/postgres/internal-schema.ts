import { quoteIdentifier, quoteRelation, type RelationName, relationName } from "../../base/relation-name.ts";
import type { Statement } from "../../plan/action.ts";

/**
 * The one schema that we own in a warehouse. What is in it makes writing there safe against crashes and take-overs:
 * `fence` says which holder of a scope may write, `batch_marker` what was committed, `environment_marker` which
 * promotion an environment's views were last switched by.
 */
export const INTERNAL_SCHEMA = "weir_internal";

export const FENCE: RelationName = relationName(INTERNAL_SCHEMA, "fence");
export const BATCH_MARKER: RelationName = relationName(INTERNAL_SCHEMA, "batch_marker");
export const ENVIRONMENT_MARKER: RelationName = relationName(INTERNAL_SCHEMA, "environment_marker");

/** In order. Each does nothing where its object is there already, so that two first applies can race. */
export function internalSchemaStatements(): readonly Statement[] {
  return [
    `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(INTERNAL_SCHEMA)}`,
    `CREATE TABLE IF NOT EXISTS ${quoteRelation(FENCE)} (scope text PRIMARY KEY, epoch bigint NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${quoteRelation(BATCH_MARKER)} (run text NOT NULL, action text NOT NULL, batch integer NOT NULL, epoch bigint NOT NULL, PRIMARY KEY (run, action, batch))`,
    `CREATE TABLE IF NOT EXISTS ${quoteRelation(ENVIRONMENT_MARKER)} (project text NOT NULL, environment text NOT NULL, promotion bigint NOT NULL, digest text NOT NULL, PRIMARY KEY (project, environment))`,
  ].map((sql) => ({
    sql,
    lock: null,
    lockTimeoutMs: SET_UP_LOCK_TIMEOUT_MS,
    statementTimeoutMs: 60_000,
    alone: false,
  }));
}

/** Nobody reads these tables but us: waiting here disturbs no one, and a racing first apply is done within moments. */
const SET_UP_LOCK_TIMEOUT_MS = 10_000;
