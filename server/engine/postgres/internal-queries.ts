import { quoteRelation } from "../../core/base/relation-name.ts";
import { BATCH_MARKER, ENVIRONMENT_MARKER, FENCE } from "../../core/engine/postgres/internal-schema.ts";
import type { EnvironmentMarker, MarkerKey } from "../../ports/warehouse.ts";
import type { Query } from "./query.ts";

export interface EpochRow {
  readonly scope: string;
  /** bigint, which the driver gives as text. */
  readonly epoch: string;
}

/**
 * Waits for whoever takes a scope over at this moment, and keeps the next one from it until our transaction ends. Rows
 * are locked in the order in which they come, that of the scopes given.
 */
export function holdFencesQuery(scopes: readonly string[]): Query<EpochRow> {
  const text = `SELECT f.scope, f.epoch FROM ${quoteRelation(FENCE)} AS f
    JOIN pg_catalog.unnest($1::text[]) WITH ORDINALITY AS u(scope, place) ON u.scope = f.scope
    ORDER BY u.place FOR SHARE OF f`;
  return { text, values: [scopes] };
}

/** Waits for every transaction that holds one of the fences. From its commit on none of the earlier epochs can begin. */
export function takeFencesQuery(scopes: readonly string[]): Query<EpochRow> {
  const text = `INSERT INTO ${quoteRelation(FENCE)} AS f (scope, epoch)
    SELECT u.scope, 1 FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS u(scope, place) ORDER BY u.place
    ON CONFLICT (scope) DO UPDATE SET epoch = f.epoch + 1 RETURNING f.scope, f.epoch`;
  return { text, values: [scopes] };
}

/** One row where the marker is new, none where it was there: waits for a transaction that is writing the same one. */
export function insertMarkerQuery(marker: MarkerKey, epoch: number): Query<{ readonly batch: number }> {
  const text = `INSERT INTO ${quoteRelation(BATCH_MARKER)} (run, action, batch, epoch) VALUES ($1, $2, $3, $4)
    ON CONFLICT (run, action, batch) DO NOTHING RETURNING batch`;
  return { text, values: [marker.run, marker.action, marker.batch, epoch] };
}

export function markersQuery(run: string): Query<MarkerKey> {
  const text = `SELECT run, action, batch FROM ${quoteRelation(BATCH_MARKER)} WHERE run = $1 ORDER BY action, batch`;
  return { text, values: [run] };
}

export function writeEnvironmentMarkerQuery(marker: EnvironmentMarker): Query<object> {
  const text = `INSERT INTO ${quoteRelation(ENVIRONMENT_MARKER)} (project, environment, promotion, digest) VALUES ($1, $2, $3, $4)
    ON CONFLICT (project, environment) DO UPDATE SET promotion = excluded.promotion, digest = excluded.digest`;
  return { text, values: [marker.project, marker.environment, marker.promotion, marker.digest] };
}
