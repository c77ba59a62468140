import type { Operations, ShownPlan } from "../../server/api/operations.ts";
import { AppError } from "../../server/core/base/app-error.ts";
import { problem } from "../../server/core/base/problem.ts";
import type { Environment } from "../../server/core/environment/environment.ts";
import type { PlanState } from "../../server/core/plan/plan.ts";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import type { Decision } from "../../server/core/review/review.ts";
import type { Job } from "../../server/ports/state-store.ts";
import { FakeRun, happeningsOf } from "./fake-run.ts";
import { environmentOf, inspected } from "./shop-environments.ts";
import { blockedPlan, emptyPlan, largePlan, oddPlan, stagingPlan, waitingPlan } from "./shop-plans.ts";

/** The moment at which the fixtures were written down; what they tell is moved to the present. */
const told = Date.parse("2025-11-30T09:31:04.000Z");

interface Record {
  readonly view: PlanView;
  state: PlanState;
  stateBy: string | null;
  stateAt: string;
  stateReason: string | null;
  moved: readonly string[];
  decisions: Decision[];
}

export interface FakeWorld {
  readonly operations: Operations;
  /** Lets a run that was started go on by so many happenings. */
  readonly advance: (run: string, steps: number) => void;
}

/** In-memory operations over the shop's plans: what the screens are looked at and tested with. */
export function fakeWorld(options: {
  readonly empty?: boolean;
  readonly large?: number;
  readonly now: () => string;
  readonly paceMs: number | null;
}): FakeWorld {
  const { now } = options;
  const records = new Map<string, Record>();
  const runs = new Map<string, FakeRun>();
  const jobs = new Map<string, Job>();
  const environments = new Map<string, Environment>();
  const script = new Map<string, ReturnType<typeof happeningsOf>>();

  const started = Date.parse(now());
  const present = (at: string) => new Date(Date.parse(at) - told + started).toISOString();
  const add = (written: PlanView, state: PlanState, more: Partial<Record> = {}) => {
    const view = { ...written, now: present(written.now) };
    records.set(view.id, {
      view,
      state,
      stateBy: null,
      stateAt: view.now,
      stateReason: null,
      moved: [],
      decisions: [],
      ...more,
    });
  };

  const startRun = (id: string, record: Record, failAt?: number): FakeRun => {
    const run = new FakeRun(
      { id, planId: record.view.id, environment: record.view.environment, startedAt: now() },
      record.view.actions.length,
    );
    runs.set(id, run);
    script.set(id, happeningsOf(record.view, failAt === undefined ? {} : { failAt }));
    record.state = "applying";
    return run;
  };
  const advance = (id: string, steps: number) => {
    const run = runs.get(id);
    if (run === undefined) return;
    for (let step = 0; step < steps; step += 1) {
      const event = script.get(id)?.[run.events.length];
      if (event === undefined) return;
      run.happen(event, now());
      if (event.kind !== "run_ended") continue;
      const record = records.get(run.run.planId);
      if (record === undefined) return;
      record.state = event.state === "applied" ? "applied" : "failed";
      if (event.state === "applied")
        environments.set(run.run.environment, environmentOf(record.view, run.run.environment, 8, now()));
    }
  };

  if (options.empty !== true) seed();
  function seed(): void {
    add(waitingPlan, "open");
    add(blockedPlan, "open");
    add(stagingPlan, "approved", {
      stateBy: "noor",
      stateAt: present("2025-11-30T09:01:00.000Z"),
      decisions: [decision(stagingPlan, "approve", "noor", null)],
    });
    add(oddPlan, "open");
    add(emptyPlan, "stale", { moved: ["prod moved with plan k1aaq8d0c3fe", "repro.raw_refunds was changed outside"] });
    if (options.large !== undefined) add(largePlan(options.large), "open");
    add({ ...waitingPlan, id: "f8failed7run", environment: "staging" }, "failed", { stateBy: "noor" });
    startRun("r_5failed", records.get("f8failed7run") as Record, 9);
    advance("r_5failed", 10_000);
    add({ ...waitingPlan, id: "r3running5pl", environment: "dev_noor" }, "applying", { stateBy: "noor" });
    startRun("r_6running", records.get("r3running5pl") as Record);
    advance("r_6running", 23);
    add({ ...stagingPlan, id: "d1done4plans", environment: "prod", now: "2025-11-28T10:00:00.000Z" }, "applied", {
      stateBy: "sana",
    });
    startRun("r_4applied", records.get("d1done4plans") as Record);
    advance("r_4applied", 10_000);
    for (const [name, promotion] of [
      ["prod", 7],
      ["staging", 3],
      ["dev_ilse", 12],
    ] as const) {
      environments.set(
        name,
        environmentOf(
          name === "dev_ilse" ? oddPlan : waitingPlan,
          name,
          promotion,
          present("2025-11-30T08:47:00.000Z"),
        ),
      );
    }
  }

  const find = (id: string): Record => {
    const found = [...records.values()].find(({ view }) => view.id.startsWith(id));
    if (found === undefined) throw new AppError(problem("plan_unknown", { plan: id }));
    return found;
  };
  const shown = ({ view, ...record }: Record): ShownPlan => ({
    view: { ...view, state: record.state },
    ...record,
    decisions: [...record.decisions],
    supersededBy: null,
    runs: [...runs.values()]
      .map(({ run }) => run)
      .filter((run) => run.planId === view.id)
      .reverse(),
  });
  const findRun = (id: string): FakeRun => {
    const found = runs.get(id);
    if (found === undefined) throw new AppError(problem("run_unknown", { run: id }));
    return found;
  };

  const operations: Operations = {
    listPlans: async ({ states, environment }) =>
      [...records.values()]
        .filter(
          (record) =>
            (states === null || states.includes(record.state)) &&
            (environment === null || record.view.environment === environment),
        )
        .map(shown),
    showPlan: async (id) => shown(find(id)),
    decidePlan: async ({ planId, digest, verdict, reason, by }) => {
      const record = find(planId);
      if (!record.view.digest.startsWith(digest))
        throw new AppError(problem("digest_differs", { plan: planId, given: digest, stored: record.view.digest }));
      if (record.state !== "open")
        throw new AppError(
          problem("plan_not_open", { plan: planId, state: record.state, by: record.stateBy, at: record.stateAt }),
        );
      if (verdict === "reject" && (reason ?? "").trim() === "")
        throw new AppError(problem("reason_missing", { plan: planId }));
      const made = { ...decision(record.view, verdict, by, reason), at: now() };
      Object.assign(record, {
        state: verdict === "approve" ? "approved" : "rejected",
        stateBy: by,
        stateAt: made.at,
        stateReason: reason,
      });
      record.decisions.push(made);
      return made;
    },
    requestApply: async ({ planId, by }) => {
      const record = find(planId);
      if (record.state === "open")
        throw new AppError(problem("approval_missing", { plan: planId, missing: ["nobody has approved it"] }));
      const run = startRun(`r_${runs.size + 1}`, record);
      const job: Job = {
        id: `j_${run.run.id}`,
        kind: "apply",
        planId,
        requestedBy: by,
        at: now(),
        state: "working",
        run: run.run.id,
        problems: [],
      };
      jobs.set(job.id, job);
      if (options.paceMs !== null) {
        const timer = setInterval(() => {
          advance(run.run.id, 1);
          if (run.run.endedAt !== null) clearInterval(timer);
        }, options.paceMs);
        timer.unref();
      }
      return job;
    },
    readJob: async (id) => jobs.get(id) ?? null,
    listRuns: async ({ planId, environment }) =>
      [...runs.values()]
        .map(({ run }) => run)
        .filter(
          (run) =>
            (planId === null || run.planId === planId) && (environment === null || run.environment === environment),
        )
        .reverse(),
    readRun: async (id) => findRun(id).run,
    readJournal: async (id) => [...findRun(id).events],
    followRun: ({ run, after, signal }) => findRun(run).follow(after, signal),
    stopRun: async ({ run, by }) => findRun(run).happen({ kind: "stop_requested", by }, now()),
    listEnvironments: async () => [...environments.values()].sort((a, b) => a.name.localeCompare(b.name)),
    inspectEnvironment: async (name) => {
      const environment = environments.get(name);
      if (environment === undefined) throw new AppError(problem("environment_unknown", { environment: name }));
      return inspected(environment, name === "dev_ilse" ? oddPlan : waitingPlan);
    },
  };
  return { operations, advance };
}

function decision(view: PlanView, verdict: "approve" | "reject", by: string, reason: string | null): Decision {
  return {
    planId: view.id,
    digest: view.digest,
    units: view.units.map((unit) => unit.digest),
    verdict,
    by,
    at: "2025-11-30T09:01:00.000Z",
    reason,
    how: "review",
  };
}
