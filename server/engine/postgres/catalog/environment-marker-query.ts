import { quoteRelation } from "../../../core/base/relation-name.ts";
import { ENVIRONMENT_MARKER } from "../../../core/engine/postgres/internal-schema.ts";
import type { Query } from "../query.ts";

export interface EnvironmentMarkerRow {
  /** bigint, which the driver gives as text. */
  readonly promotion: string;
  readonly digest: string;
}

export function environmentMarkerQuery(project: string, environment: string): Query<EnvironmentMarkerRow> {
  const text = `
SELECT m.promotion, m.digest
  FROM ${quoteRelation(ENVIRONMENT_MARKER)} m
 WHERE m.project = $1 AND m.environment = $2`;
  return { text, values: [project, environment] };
}
