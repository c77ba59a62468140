import { AppError } from "../../server/core/base/app-error.ts";
import { problem } from "../../server/core/base/problem.ts";
import type { PlanState } from "../../server/core/plan/plan.ts";
import type { PlanRecord, PlanRecords, PlanStateNote } from "../../server/ports/state-store.ts";
import { effectsKey } from "../../server/state/effects-key.ts";
import { type MemoryTables, notify, stored, targetKey } from "./in-memory-environments.ts";

const waits = (record: PlanRecord): boolean => record.state === "open" || record.state === "approved";

export function movePlan(
  tables: MemoryTables,
  id: string,
  from: readonly PlanState[],
  to: PlanState,
  note: PlanStateNote,
): boolean {
  const record = tables.plans.get(id);
  if (record === undefined || !from.includes(record.state)) return false;
  const { by, at, reason, moved } = note;
  tables.plans.set(id, { ...record, state: to, stateBy: by, stateAt: at, stateReason: reason, moved });
  notify(tables);
  return true;
}

export function planRecords(tables: MemoryTables): PlanRecords {
  return {
    savePlan: async (plan) => {
      const key = effectsKey(plan);
      const records = [...tables.plans.values()];
      const equal = records.find((each) => waits(each) && effectsKey(each.plan) === key);
      if (equal !== undefined) return { record: equal, existing: true };
      const { author, folder, now } = plan.context;
      const { project, environment } = plan.effects.target;
      for (const each of records) {
        const { target } = each.plan.effects;
        const same = target.project === project && target.environment === environment;
        if (!same || !waits(each) || each.plan.context.author !== author || each.plan.context.folder !== folder)
          continue;
        const note = { state: "superseded" as const, stateBy: author, stateAt: now, stateReason: null };
        tables.plans.set(each.plan.id, { ...each, ...note, supersededBy: plan.id });
      }
      const record: PlanRecord = {
        plan: stored(plan),
        state: "open",
        stateBy: author,
        stateAt: now,
        stateReason: null,
        moved: [],
        supersededBy: null,
      };
      tables.plans.set(plan.id, record);
      notify(tables);
      return { record, existing: false };
    },
    nextSubmission: async (project, environment) => {
      const key = targetKey(project, environment);
      const next = (tables.submissions.get(key) ?? 0) + 1;
      tables.submissions.set(key, next);
      return next;
    },
    findPlan: async (id) => {
      if (id === "") return null;
      const whole = tables.plans.get(id);
      const found = [...tables.plans.values()].filter((each) => each.plan.id.startsWith(id));
      return whole ?? (found.length === 1 ? (found[0] ?? null) : null);
    },
    listPlans: async (filter) =>
      [...tables.plans.values()]
        .reverse()
        .filter(
          ({ plan, state }) =>
            (filter.project === null || plan.effects.target.project === filter.project) &&
            (filter.environment === null || plan.effects.target.environment === filter.environment) &&
            (filter.states === null || filter.states.includes(state)),
        )
        .slice(0, filter.limit),
    movePlan: async (id, from, to, why) => movePlan(tables, id, from, to, why),
    decide: async (decision) => {
      const { planId, by, at, reason } = decision;
      const record = tables.plans.get(planId);
      if (record === undefined) throw new AppError(problem("plan_unknown", { plan: planId }));
      const { digest } = record.plan;
      if (digest !== decision.digest) {
        throw new AppError(problem("digest_differs", { plan: planId, given: decision.digest, stored: digest }));
      }
      const standing = tables.decisions.get(planId);
      if (standing !== undefined) return { taken: false, standing };
      const to = decision.verdict === "approve" ? "approved" : "rejected";
      if (!movePlan(tables, planId, ["open"], to, { by, at, reason, moved: [] })) {
        const { state, stateBy, stateAt } = record;
        throw new AppError(problem("plan_not_open", { plan: planId, state, by: stateBy, at: stateAt }));
      }
      tables.decisions.set(planId, stored(decision));
      return { taken: true, standing: decision };
    },
    readDecisions: async (planId) => {
      const decision = tables.decisions.get(planId);
      return decision === undefined ? [] : [decision];
    },
  };
}
