import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults of the warehouse and of the embedded server. Messages name host, port, database and user, never a password. */
export interface EngineProblems {
  engine_unreachable: { readonly target: string; readonly reason: string };
  engine_lost: { readonly reason: string };
  engine_locked: { readonly blockers: readonly string[]; readonly statement: string | null };
  engine_cancelled: { readonly statement: string | null };
  engine_refused: { readonly sqlstate: string; readonly message: string; readonly statement: string | null };
  engine_unsupported: { readonly reason: string };
  embedded_failed: { readonly reason: string };
}

export const engineSentences: Sentences<EngineProblems> = {
  engine_unreachable: (f) => `The database ${f.target} can't be reached: ${f.reason}.`,
  engine_lost: (f) => `The connection to the database was lost: ${f.reason}.`,
  engine_locked: (f) => `The database gave no lock in time${heldBy(f.blockers)}. Try again when it is free.`,
  engine_cancelled: () => "The statement under way was cancelled on request.",
  engine_refused: (f) =>
    `The database refused a statement${f.sqlstate === "" ? "" : ` (${f.sqlstate})`}: ${f.message}${f.statement === null ? "" : `\n${f.statement}`}`,
  engine_unsupported: (f) => f.reason,
  embedded_failed: (f) => f.reason,
};

export const engineExits: Exits<EngineProblems> = {
  engine_unreachable: 5,
  engine_lost: 5,
  engine_locked: 1,
  engine_cancelled: 1,
  engine_refused: 1,
  engine_unsupported: 5,
  embedded_failed: 5,
};

function heldBy(blockers: readonly string[]): string {
  return blockers.length === 0 ? "" : `; it is held by ${blockers.join("; ")}`;
}
