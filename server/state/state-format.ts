import { sql } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { SessionSettings } from "./connection.ts";
import type { Session } from "./database.ts";
import { stateFormat } from "./tables.ts";

/** Raised when what is stored gets a form that programs before this one would read or write wrongly. */
export const STATE_FORMAT = 1;

/** The oldest programs that may still work on what this one writes. */
const MIN_READER = 1;
const MIN_WRITER = 1;

/**
 * Within a major the tables only grow, so that an older program may go on reading while `min_reader` allows it, and
 * writing while `min_writer` does. @throws AppError `state_newer`, `state_forbidden`.
 */
export async function checkFormat(
  session: Session,
  settings: SessionSettings,
): Promise<{ readonly minWriter: number }> {
  await requireUsage(session, settings);
  const { rows } = await session.execute<{ found: boolean }>(
    sql`select to_regclass('state_format') is not null as found`,
  );
  if (rows[0]?.found !== true) return { minWriter: 0 };
  const [format] = await session.select().from(stateFormat);
  if (format === undefined) return { minWriter: 0 };
  if (format.minReader > STATE_FORMAT) throw stateNewer(format.minReader);
  return { minWriter: format.minWriter };
}

/** A schema that one may not use is left out of the search_path silently: its tables would seem to be missing. */
async function requireUsage(session: Session, { schema, target }: SessionSettings): Promise<void> {
  const { rows } = await session.execute<{ usable: boolean }>(
    sql`select has_schema_privilege(oid, 'usage') as usable from pg_namespace where nspname = ${schema}`,
  );
  if (rows[0]?.usable !== false) return;
  throw new AppError(problem("state_forbidden", { target, reason: `permission denied for schema ${schema}` }));
}

export function stateNewer(found: number): AppError {
  return new AppError(problem("state_newer", { found, known: STATE_FORMAT }));
}

/** Never lowered: a newer program may have been here. */
export async function recordFormat(session: Session): Promise<void> {
  await session
    .insert(stateFormat)
    .values({ minReader: MIN_READER, minWriter: MIN_WRITER })
    .onConflictDoUpdate({
      target: stateFormat.only,
      set: {
        minReader: sql`greatest(${stateFormat.minReader}, excluded.min_reader)`,
        minWriter: sql`greatest(${stateFormat.minWriter}, excluded.min_writer)`,
      },
      setWhere: sql`${stateFormat.minReader} < excluded.min_reader or ${stateFormat.minWriter} < excluded.min_writer`,
    });
}
