import { type SQL, sql } from "drizzle-orm";

/**
 * Advisory locks are numbers that a whole database shares. Ours are 64-bit hashes of texts that name the schema, so
 * that two states in one database, or another program there, don't meet by accident. hashtextextended: PostgreSQL 11.
 */
function lockKey(text: string | SQL): SQL {
  return sql`hashtextextended(${text}, 0)`;
}

/** Held while migrations are looked at and applied. */
export function migrationLock(schema: string): SQL {
  return lockKey(`weir/${schema}/migrate`);
}

/** Shared by everybody who holds a lease; an upgrade takes it alone, so that neither happens during the other. */
export function upgradeLock(schema: string): SQL {
  return lockKey(`weir/${schema}/upgrade`);
}

/** `epoch` may be an SQL expression. */
export function leaseLock(schema: string, epoch: number | SQL): SQL {
  return lockKey(sql`${`weir/${schema}/lease/`}::text || ${epoch}::bigint`);
}

export function jobLock(schema: string, id: string): SQL {
  return lockKey(`weir/${schema}/job/${id}`);
}

export function targetLock(schema: string, project: string, environment: string): SQL {
  return lockKey(`weir/${schema}/target/${JSON.stringify([project, environment])}`);
}
