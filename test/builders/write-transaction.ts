import type { Guard, Statement } from "../../server/core/plan/action.ts";
import type { Fence, TransactionStep, WriteTransaction } from "../../server/ports/warehouse.ts";

export function aStatement(sql: string, changes: Partial<Statement> = {}): Statement {
  return { sql, lock: null, lockTimeoutMs: null, statementTimeoutMs: null, alone: false, ...changes };
}

/** Guards and statements in order; a text is a statement without timeouts of its own. */
export function aStep(...parts: readonly (string | Statement | Guard)[]): TransactionStep {
  const statements: Statement[] = [];
  const guards: Guard[] = [];
  for (const part of parts) {
    if (typeof part === "string") statements.push(aStatement(part));
    else if ("sql" in part) statements.push(part);
    else guards.push(part);
  }
  return { searchPath: "authors", guards, statements, seed: null };
}

export const aTag = { plan: "abc234", stage: "promotion" };

let markers = 0;

/** Each with a marker of its own. */
export function aTransaction(fences: readonly Fence[], steps: readonly TransactionStep[]): WriteTransaction {
  markers += 1;
  const marker = { run: "r1", action: `a${markers}`, batch: 0 };
  return { tag: aTag, fences, marker, steps, captured: [], environmentMarker: null };
}
