import { expect } from "vitest";
import type { World } from "./world.ts";

/** Applied, its run over and its journal too, nothing open and nobody holding anything. */
export async function expectApplied(world: World, planId: string): Promise<void> {
  const [found] = await world.query<{ plan: string; run: string; ended: boolean; done: number; total: number }>(
    `SELECT p.state AS plan, r.state AS run, r.ended_at IS NOT NULL AS ended, r.total,
            (SELECT count(DISTINCT e.action)::int FROM weir.run_events e
              WHERE e.run = r.id AND e.kind = 'action_done') AS done
       FROM weir.plans p JOIN weir.runs r ON r.plan_id = p.id WHERE p.id = $1`,
    [planId],
  );
  expect(found).toEqual({ plan: "applied", run: "applied", ended: true, done: found?.total, total: found?.total });
  const [left] = await world.query(
    `SELECT (SELECT count(*)::int FROM weir.intents) AS intents,
            (SELECT count(*)::int FROM weir.leases WHERE ended_at IS NULL) AS leases,
            (SELECT count(*)::int FROM weir.runs WHERE state IN ('running', 'stopping')) AS runs,
            (SELECT count(*)::int FROM weir.plans WHERE state IN ('open', 'approved', 'applying')) AS plans,
            (SELECT count(*)::int FROM weir.run_events e JOIN weir.runs r ON r.id = e.run
              WHERE e.seq = r.last_seq AND e.kind <> 'run_ended') AS unended`,
  );
  expect(left).toEqual({ intents: 0, leases: 0, runs: 0, plans: 0, unended: 0 });
}
