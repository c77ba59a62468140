import { quoteRelation } from "../../core/base/relation-name.ts";
import { BATCH_MARKER, ENVIRONMENT_MARKER, FENCE } from "../../core/engine/postgres/internal-schema.ts";
import type { EnvironmentMarker, MarkerKey } from "../../ports/warehouse.ts";
import type { Query } from "./query.ts";

/** bigint, which the driver gives as text. */
export interface EpochRow {
  readonly epoch: string;
}

/** Waits for whoever takes the scope over at this moment, and keeps the next one from it until our transaction ends. */
export function holdFenceQuery(scope: string): Query<EpochRow> {
  return { text: `SELECT epoch FROM ${quoteRelation(FENCE)} WHERE scope = $1 FOR SHARE`, values: [scope] };
}

/** Waits for every transaction that holds the fence. From its commit on none of the earlier epoch can begin. */
export function takeFenceQuery(scope: string): Query<EpochRow> {
  const text = `INSERT INTO ${quoteRelation(FENCE)} AS f (scope, epoch) VALUES ($1, 1)
    ON CONFLICT (scope) DO UPDATE SET epoch = f.epoch + 1 RETURNING epoch`;
  return { text, values: [scope] };
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
