import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { describe, expect, test } from "vitest";
import type { Installed } from "../../server/api/door.ts";
import { faultOf } from "../../server/api/fault-of.ts";
import type { Operations } from "../../server/api/operations.ts";
import { appRouter, createCaller } from "../../server/api/root.ts";
import type { RunEventView } from "../../server/api/runs/run-schema.ts";
import { fakeWorld } from "../fakes/fake-operations.ts";

const AT = "2026-01-05T10:00:00.000Z";

function aServer(more: Partial<Operations> = {}) {
  const world = fakeWorld({ now: () => AT, paceMs: null });
  const defects: unknown[] = [];
  const installed: Installed = {
    operations: { ...world.operations, ...more },
    server: { project: "shop", gateway: "pg", user: "noor", tool: "weir 0" },
    gate: { token: "t", cookie: "c", hosts: [] },
    workerStatus: () => ({ state: "running", since: AT }),
    logDefect: (_id, error) => defects.push(error),
  };
  return { ...world, installed, defects, call: createCaller(installed) };
}

const plan = "k7qwm2x4hd3a";
const digest = "4c1e8f2a90f33d17";

describe("plans", () => {
  test("a decision is recorded as the user that the server runs as, on the digest that was seen", async () => {
    const { call } = aServer();
    const made = await call.plans.decide({ planId: plan, digest, verdict: "approve", reason: null });
    expect(made).toMatchObject({ by: "noor", verdict: "approve", at: AT });
    expect((await call.plans.standing({ id: plan })).state).toBe("approved");
  });

  test("another digest than the stored one is refused with both", async () => {
    const { call } = aServer();
    const asked = call.plans.decide({ planId: plan, digest: "ffffffff", verdict: "approve", reason: null });
    const fault = faultOf(await asked.catch((error: unknown) => error));
    expect(fault.status).toBe(409);
    expect(fault.problems[0]?.sentence).toContain("not ffffffff");
  });

  test("whoever decides second is told who was first", async () => {
    const { call } = aServer();
    await call.plans.decide({ planId: plan, digest, verdict: "approve", reason: null });
    const asked = call.plans.decide({ planId: plan, digest, verdict: "reject", reason: "late" });
    const fault = faultOf(await asked.catch((error: unknown) => error));
    expect(fault.problems[0]?.code).toBe("plan_not_open");
    expect(fault.problems[0]?.sentence).toContain("noor");
  });

  test("a rejection without a reason is refused", async () => {
    const { call } = aServer();
    const asked = call.plans.decide({ planId: plan, digest, verdict: "reject", reason: "  " });
    expect(faultOf(await asked.catch((error: unknown) => error)).problems[0]?.code).toBe("reason_missing");
  });

  test("starting what nobody approved says what is missing", async () => {
    const asked = aServer().call.plans.start({ planId: plan });
    expect(faultOf(await asked.catch((error: unknown) => error)).problems[0]?.code).toBe("approval_missing");
  });

  test("a list holds no texts, statements or graphs", async () => {
    const cards = await aServer().call.plans.list({});
    expect(cards.length).toBeGreaterThan(4);
    expect(Object.keys(cards[0] ?? {})).not.toContain("actions");
    expect(cards.find(({ id }) => id === plan)?.title).toBe("Change repro.stg_items_base and 6 more models");
  });
});

/** In process a tracked event is still the pair that the wire is made from. */
function entry(item: unknown): readonly [string, RunEventView] {
  return item as readonly [string, RunEventView];
}

describe("runs", () => {
  test("following goes on after the event that arrived last, without a gap or a double", async () => {
    const { call } = aServer();
    const seqs: number[] = [];
    for await (const item of await call.runs.follow({ id: "r_4applied", lastEventId: "10" })) {
      const [id, event] = entry(item);
      expect(id).toBe(String(event.seq));
      seqs.push(event.seq);
    }
    expect(seqs[0]).toBe(11);
    expect(seqs).toEqual(seqs.map((_, index) => index + 11));
  });

  test("problems in the journal arrive in words, with the database's own message", async () => {
    const { call } = aServer();
    for await (const item of await call.runs.follow({ id: "r_5failed" })) {
      const [, { event }] = entry(item);
      if (event.kind === "action_failed")
        expect(event.problem).toMatchObject({ code: "action_failed", message: "division by zero" });
    }
  });
});

describe("environments and search", () => {
  test("an unknown environment is not found", async () => {
    const asked = aServer().call.environments.inspect({ name: "nowhere" });
    expect(faultOf(await asked.catch((error: unknown) => error))).toMatchObject({ status: 404 });
  });

  test.each(['"Sales"."Top.10"', 'shop."größe"', 'shop."100%"', 'shop."<b>x</b>"'])(
    "%s is found whatever its case and quotes",
    async (name) => {
      const text = name.replaceAll('"', "").toUpperCase();
      const hits = await aServer().call.system.find({ text });
      expect(hits.map(({ label }) => label)).toContain(name);
    },
  );
});

describe("faults of our own", () => {
  const secret = "postgres://weir:hunter2@db";
  const broken = () => aServer({ listRuns: () => Promise.reject(new Error(`could not reach ${secret}`)) });

  test("become an id that the log knows, and nothing else", async () => {
    const { call, defects } = broken();
    const error: unknown = await call.runs.list({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCError);
    expect(faultOf(error)).toMatchObject({ status: 500, problems: [], id: expect.stringMatching(/^e_/) });
    expect(String(defects[0])).toContain(secret);
  });

  test("leave no stack and no message on the wire", async () => {
    const { installed } = broken();
    const request = new Request("http://127.0.0.1/api/trpc/runs.list?input=%7B%22json%22%3A%7B%7D%7D");
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: request,
      router: appRouter,
      createContext: () => installed,
    });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain('"internal"');
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("stack");
  });

  test("input of the wrong shape is a bad request, not a fault", async () => {
    const { installed, defects } = aServer();
    const request = new Request("http://127.0.0.1/api/trpc/plans.show?input=%7B%22json%22%3A%7B%22id%22%3A3%7D%7D");
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: request,
      router: appRouter,
      createContext: () => installed,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("stack");
    expect(defects).toEqual([]);
  });
});
