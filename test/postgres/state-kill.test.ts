import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Job, LeaseOutcome, StateStore } from "../../server/ports/state-store.ts";
import { openStateStore } from "../../server/state/postgres-state-store.ts";
import { problemCodes } from "../contract/problem-code.ts";
import { AT, decisionOn, planOf } from "../contract/state-values.ts";
import { createDatabase } from "./database.ts";

const database = await createDatabase("kill");
let store: StateStore;

beforeAll(async () => {
  store = await openStateStore({ connection: database.url });
  await store.migrate();
});
afterAll(() => store.close());

interface Holding {
  readonly outcome: LeaseOutcome;
  readonly job: Job | null;
}

test("kill -9 of a process frees its lease and its job; alive, even stopped, it keeps them", async () => {
  const plan = planOf();
  await store.savePlan(plan);
  await store.decide(decisionOn(plan));
  await store.startRun({ id: "r1", plan, by: "ilse", at: AT });
  await store.enqueueJob({ id: "j1", kind: "apply", planId: plan.id, requestedBy: "ilse", at: AT });

  const script = fileURLToPath(new URL("./state-holder.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), script, database.url, "r1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  try {
    const { outcome, job } = await new Promise<Holding>((resolve, reject) => {
      createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line) as Holding));
      child.on("close", () => reject(new Error("the holder ended by itself")));
    });
    if (!outcome.ok) throw new Error("the holder didn't get the lease");
    expect(job?.id).toBe("j1");
    await store.appendEvent("r1", outcome.lease, AT, { kind: "stage_started", stage: "create", actions: 1 });

    child.kill("SIGSTOP");
    const request = { scopes: ["b"], holder: "run r1 resumed", run: "r1" };
    expect(await store.acquireLease(request)).toMatchObject({ ok: false, holder: `run r1, pid ${child.pid}` });
    expect(await store.claimJob("w2")).toBeNull();

    child.kill("SIGKILL");
    await ended;
    const began = performance.now();
    const taken = await until(async () => {
      const again = await store.acquireLease(request);
      return again.ok ? again.lease : null;
    });
    const claimed = await until(() => store.claimJob("w2"));
    console.log(`lease and job of a killed process taken over after ${(performance.now() - began).toFixed(0)} ms`);
    expect(claimed).toMatchObject({ id: "j1", state: "working" });
    expect(taken.epoch).toBeGreaterThan(outcome.lease.epoch);
    const late = store.appendEvent("r1", outcome.lease, AT, { kind: "finalised" });
    expect(await problemCodes(late)).toEqual(["fence_lost"]);
    expect(await store.appendEvent("r1", taken, AT, { kind: "finalised" })).toMatchObject({ seq: 3 });
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
});

test("a take-over waits for a write that is under way, so that none can land after it", async () => {
  const dying = await openStateStore({ connection: database.url, applicationName: "dying" });
  const first = await dying.acquireLease({ scopes: ["c"], holder: "h", run: "r1" });
  if (!first.ok) throw new Error("not free");
  const writer = new pg.Client(database);
  await writer.connect();
  try {
    // As a write of the holder does, between its check of the lease and its commit.
    await writer.query("BEGIN");
    await writer.query("SELECT 1 FROM weir.leases WHERE epoch = $1 AND ended_at IS NULL FOR SHARE", [
      first.lease.epoch,
    ]);
    await dying.close();
    let taken = false;
    const second = until(async () => {
      const outcome = await store.acquireLease({ scopes: ["c"], holder: "h", run: "r2" });
      return outcome.ok ? outcome.lease : null;
    }).then((lease) => {
      taken = true;
      return lease;
    });
    await until(async () => {
      const { rows } = await writer.query("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'");
      return rows.length > 0 ? true : null;
    });
    expect(taken).toBe(false);
    await writer.query("COMMIT");
    expect((await second).epoch).toBeGreaterThan(first.lease.epoch);
  } finally {
    await writer.end();
  }
});

/** The server notices the end of a process within milliseconds, not at once. */
async function until<T>(ask: () => Promise<T | null>, limitMs = 10_000): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms`);
  }
}
