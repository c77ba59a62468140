import process from "node:process";
import { afterEach, expect, test, vi } from "vitest";
import { keepWorker, type WorkerProcess } from "../../server/worker-process.ts";

let worker: WorkerProcess | null = null;
afterEach(async () => worker?.stop());

function keep(program: string, more: { readonly graceMs?: number; readonly first?: number } = {}) {
  const events: { readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  worker = keepWorker({
    command: process.execPath,
    arguments: ["-e", program],
    environment: process.env,
    backOffMs: { first: more.first ?? 10, longest: Math.max(more.first ?? 0, 40) },
    graceMs: more.graceMs ?? 5_000,
    log: (event, fields) => events.push({ event, fields }),
    now: () => new Date(),
  });
  return { worker, events };
}

test("a worker that dies is started again, after pauses that double up to a limit", async () => {
  const { events } = keep("process.exit(3)");
  await vi.waitUntil(() => events.length >= 4, { timeout: 10_000 });
  expect(events.slice(0, 4).map(({ fields }) => fields.restartInMs)).toEqual([10, 20, 40, 40]);
  expect(events[0]?.fields.code).toBe(3);
});

test("while it is down, its status says since when and until when", async () => {
  const { worker: kept } = keep("process.exit(1)", { first: 60_000 });
  await vi.waitUntil(() => kept.status().state === "restarting", { timeout: 10_000 });
  expect(kept.status()).toMatchObject({ state: "restarting", restarts: 1 });
});

test("stopping ends the child and starts no other", async () => {
  const { worker: kept, events } = keep("process.send('ready'); setInterval(() => {}, 1000)");
  expect(kept.status().state).toBe("starting");
  await vi.waitUntil(() => kept.status().state === "running", { timeout: 10_000 });
  await kept.stop();
  expect(kept.status()).toEqual({ state: "stopped" });
  expect(events).toEqual([]);
});

test("a child that doesn't listen is killed when its time is up", async () => {
  const { worker: kept } = keep("process.on('SIGTERM', () => {}); process.send('ready'); setInterval(() => {}, 1000)", {
    graceMs: 200,
  });
  await vi.waitUntil(() => kept.status().state === "running", { timeout: 10_000 });
  await kept.stop();
  expect(kept.status()).toEqual({ state: "stopped" });
});
