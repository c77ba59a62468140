import { expect } from "vitest";
import type { Action, Statement } from "../../server/core/plan/action.ts";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { Sent } from "./listening-proxy.ts";

/** First word of a statement, without the comments in front of it. */
export function verbOf(sql: string): string {
  return /^(?:\s|\/\*.*?\*\/|--.*\n)*(\w+)/s.exec(sql)?.[1]?.toUpperCase() ?? "";
}

const READING = new Set(["SELECT", "SHOW", "SET", "BEGIN", "COMMIT", "ROLLBACK"]);

/** Planning and looking send nothing else, and every transaction of theirs says that it only reads. */
export function expectOnlyReads(sent: readonly Sent[]): void {
  expect(sent.filter(({ sql }) => !READING.has(verbOf(sql))).map(({ sql }) => sql)).toEqual([]);
  const begins = sent.filter(({ sql }) => verbOf(sql) === "BEGIN");
  expect(begins.filter(({ sql }) => !/READ ONLY/i.test(sql)).map(({ sql }) => sql)).toEqual([]);
  const locking = sent.filter(({ sql }) => /\bFOR (UPDATE|SHARE|NO KEY|KEY)\b|\bINTO\b/i.test(sql));
  expect(locking.map(({ sql }) => sql)).toEqual([]);
}

/** A plan's statement as it was sent, with the timeouts that were in force. */
export interface Executed {
  readonly sql: string;
  readonly lockTimeout: string;
  readonly statementTimeout: string;
}

/**
 * What of a log was carried out for a plan, in order: statements of transactions that committed, and those outside of
 * one. Fences, markers and guards are left out; `expected` says how many of them there were beside.
 */
export function executedFor(plan: Plan, sent: readonly Sent[]): readonly Executed[] {
  const executed: Executed[] = [];
  const open = new Map<number, Executed[]>();
  const settings = new Map<number, { lock: string; statement: string }>();
  for (const { session, sql } of sent) {
    const text = sql.replace(/^\/\* WEIR .*? \*\/ /s, "");
    const setting = settings.get(session) ?? { lock: "DEFAULT", statement: "DEFAULT" };
    const timeout = /^SET (?:LOCAL )?(lock_timeout|statement_timeout) (?:TO|=) (\w+)$/.exec(text);
    if (timeout !== null) {
      settings.set(session, { ...setting, [timeout[1] === "lock_timeout" ? "lock" : "statement"]: timeout[2] ?? "" });
    } else if (verbOf(text) === "BEGIN") {
      open.set(session, []);
      settings.set(session, { lock: "DEFAULT", statement: "DEFAULT" });
    } else if (verbOf(text) === "COMMIT") {
      executed.push(...(open.get(session) ?? []));
      open.delete(session);
    } else if (verbOf(text) === "ROLLBACK") {
      open.delete(session);
    } else {
      const entry = { sql: text, lockTimeout: setting.lock, statementTimeout: setting.statement };
      const tagged = sql.startsWith(`/* WEIR plan=${plan.id} `);
      const transaction = open.get(session);
      if (transaction !== undefined) transaction.push(entry);
      else if (tagged) executed.push(entry);
    }
  }
  return executed;
}

/** Every action's every statement was sent, once, in the order of the plan, under its timeouts, and no other that writes. */
export function expectCarriedOut(plan: Plan, sent: readonly Sent[]): void {
  const executed = executedFor(plan, sent);
  const expected = plan.effects.actions.flatMap((action) => action.statements.map((each) => ({ action, each })));
  const besides: string[] = [];
  const carriedOut: string[] = [];
  let next = 0;
  for (const entry of executed) {
    const wanted = expected[next];
    if (wanted !== undefined && wanted.each.sql.trim() === entry.sql.trim()) {
      carriedOut.push(wanted.action.id);
      expectTimeouts(wanted.action, wanted.each, entry);
      next += 1;
    } else if (!isBookkeeping(entry.sql)) besides.push(entry.sql);
  }
  expect({ carriedOut, besides }).toEqual({ carriedOut: expected.map(({ action }) => action.id), besides: [] });
  const seeds = plan.effects.actions.filter((action) => action.artefact !== null).length;
  expect(executed.filter(({ sql }) => verbOf(sql) === "COPY")).toHaveLength(seeds);
}

/** None of ours may keep readers waiting for long behind it, or run for ever where it only changes definitions. */
export function expectTimeoutsInPlan(plan: Plan): void {
  for (const statement of plan.effects.actions.flatMap((action) => action.statements)) {
    expect(statement.statementTimeoutMs, statement.sql).not.toBeNull();
    if (statement.lock !== null) expect(statement.lockTimeoutMs, statement.sql).toBeGreaterThan(0);
    // The one lock that readers conflict with, and so queue behind.
    if (statement.lock === "ACCESS EXCLUSIVE") expect(statement.lockTimeoutMs, statement.sql).toBeLessThanOrEqual(250);
  }
}

function expectTimeouts(action: Action, statement: Statement, { lockTimeout, statementTimeout }: Executed): void {
  const text = (ms: number | null) => (ms === null ? "DEFAULT" : String(ms));
  expect({ action: action.id, lockTimeout, statementTimeout }).toEqual({
    action: action.id,
    lockTimeout: text(statement.lockTimeoutMs),
    statementTimeout: text(statement.statementTimeoutMs),
  });
}

/** Reads, fences and markers; and what guards do to hold an object still, none of which changes it. */
function isBookkeeping(sql: string): boolean {
  if (sql.includes("weir_internal") || verbOf(sql) === "SELECT" || verbOf(sql) === "SET") return true;
  return (
    /^ALTER (MATERIALIZED )?(VIEW|TABLE) \S+ OWNER TO \S+$/.test(sql) ||
    /^LOCK TABLE ONLY \S+ IN SHARE UPDATE EXCLUSIVE MODE$/.test(sql) ||
    /^GRANT SELECT( \([^)]*\))? ON \S+ TO \S+$/.test(sql) ||
    /^COPY \S+ \([^)]*\) FROM STDIN$/.test(sql)
  );
}
