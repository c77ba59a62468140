import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults of the warehouse and of the embedded server. Messages name host, port, database and user, never a password. */
export interface EngineProblems {
  engine_unreachable: { readonly target: string; readonly reason: string };
  engine_refused: { readonly sqlstate: string; readonly message: string; readonly statement: string | null };
  engine_unsupported: { readonly reason: string };
  embedded_failed: { readonly reason: string };
}

export const engineSentences: Sentences<EngineProblems> = {
  engine_unreachable: (f) => `The database ${f.target} can't be reached: ${f.reason}.`,
  engine_refused: (f) =>
    `The database refused a statement (${f.sqlstate}): ${f.message}${f.statement === null ? "" : `\n${f.statement}`}`,
  engine_unsupported: (f) => f.reason,
  embedded_failed: (f) => f.reason,
};

export const engineExits: Exits<EngineProblems> = {
  engine_unreachable: 5,
  engine_refused: 1,
  engine_unsupported: 5,
  embedded_failed: 5,
};
