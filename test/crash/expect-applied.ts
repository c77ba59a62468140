import { expect } from "vitest";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { World } from "./world.ts";

/**
 * Applied, its run over and its journal too, nothing open and nobody holding anything. Everything was done, but for
 * statistics where the process died right before them: readers have what was promised, and they come by themselves.
 */
export async function expectApplied(world: World, plan: Plan): Promise<void> {
  const [found] = await world.query<{ done: readonly string[] }>(
    `SELECT p.state AS plan, r.state AS run, r.ended_at IS NOT NULL AS ended,
            (SELECT array_agg(DISTINCT e.action) FROM weir.run_events e
              WHERE e.run = r.id AND e.kind = 'action_done') AS done
       FROM weir.plans p JOIN weir.runs r ON r.plan_id = p.id WHERE p.id = $1`,
    [plan.id],
  );
  expect(found).toMatchObject({ plan: "applied", run: "applied", ended: true });
  const undone = plan.effects.actions.filter(({ id }) => found?.done.includes(id) !== true);
  expect(undone.map(({ kind }) => kind).filter((kind) => kind !== "analyze")).toEqual([]);
  const [left] = await world.query(
    `SELECT (SELECT count(*)::int FROM weir.intents) AS intents,
            (SELECT count(*)::int FROM weir.runs WHERE state IN ('running', 'stopping')) AS runs,
            (SELECT count(*)::int FROM weir.plans WHERE state IN ('open', 'approved', 'applying')) AS plans,
            (SELECT count(*)::int FROM weir.run_events e JOIN weir.runs r ON r.id = e.run
              WHERE e.seq = r.last_seq AND e.kind <> 'run_ended') AS unended,
            (SELECT count(*)::int FROM pg_locks l JOIN pg_database d ON d.oid = l.database
              WHERE l.locktype = 'advisory' AND d.datname = current_database()) AS held`,
  );
  expect(left).toEqual({ intents: 0, runs: 0, plans: 0, unended: 0, held: 0 });
}
