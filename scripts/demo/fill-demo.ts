import { join } from "node:path";
import { locateState, type OpenServices, openServices } from "../../server/compose.ts";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import { applyPlan } from "../../server/operations/apply-plan.ts";
import { decidePlan } from "../../server/operations/decide-plan.ts";
import { listEnvironments } from "../../server/operations/list-environments.ts";
import { planEnvironment } from "../../server/operations/plan-environment.ts";
import type { ProjectPlace } from "../../server/operations/services.ts";
import { listPlans } from "../../server/operations/show-plan.ts";
import { type Checkouts, checkOut, dropOrdersColumn, reorderItemColumns } from "./checkouts.ts";
import type { DemoServer } from "./demo-server.ts";

export interface FilledDemo {
  /** Null once it was applied. */
  readonly reorder: PlanView | null;
  readonly drop: PlanView;
  /** False where an earlier run had done everything. */
  readonly appliedNow: boolean;
}

const PROJECT = "shop";

/** Brings the demo to where its story begins; what is there already is left, what is missing is made good. */
export async function fillDemo(
  server: DemoServer,
  example: string,
  checkouts: Checkouts,
  say: (line: string) => void,
): Promise<FilledDemo> {
  checkOut(example, checkouts.shop);
  const place = placeOf(checkouts.shop);
  const options = { place, stateUrl: null, environment: { ...process.env, ...server.environment } };
  const services = await openServices(options, await locateState(options));
  try {
    const merged = await isApplied(services, "ilse");
    if (merged) reorderItemColumns(checkouts.shop);
    const appliedNow = await bringUp(services, place, say);
    await server.runFile(join(example, "outside", "bi.sql"));
    checkOut(checkouts.shop, checkouts.ilse);
    reorderItemColumns(checkouts.ilse);
    checkOut(checkouts.shop, checkouts.marek);
    if (merged) reorderItemColumns(checkouts.marek);
    dropOrdersColumn(checkouts.marek);
    const reorder = merged ? null : await submit(services, placeOf(checkouts.ilse), "ilse");
    const drop = await submit(services, placeOf(checkouts.marek), "marek");
    expectResult(reorder, "applicable");
    expectResult(drop, "blocked");
    return { reorder, drop, appliedNow };
  } finally {
    await services.close();
  }
}

function placeOf(folder: string): ProjectPlace {
  return { folder, gateway: null, dotenv: null };
}

async function isApplied(services: OpenServices, author: string): Promise<boolean> {
  const applied = await listPlans(services, { project: PROJECT, environment: "prod", states: ["applied"], limit: 50 });
  return applied.some(({ view }) => view.author === author);
}

/** The first promotion of prod, or the repair of whatever has been dropped since. */
async function bringUp(services: OpenServices, place: ProjectPlace, say: (line: string) => void): Promise<boolean> {
  const there = (await listEnvironments(services, PROJECT)).some(
    ({ name, promotion }) => name === "prod" && promotion > 0,
  );
  say(there ? "Looking at prod …" : "Applying the shop to prod …");
  const view = await submit(services, place, "anna");
  if (view.result === "empty") return false;
  expectResult(view, "applicable");
  if (view.state === "open") {
    const { id, digest } = view;
    await decidePlan(services, { planId: id, digest, verdict: "approve", reason: null, by: "anna", how: "auto-apply" });
  }
  const { line } = await applyPlan(services, {
    planId: view.id,
    place,
    by: "anna",
    resume: true,
    onEvent: () => undefined,
    signal: { aborted: false, onAbort: () => undefined },
    promotionPatienceMs: 60_000,
  });
  say(line);
  return true;
}

/** Planning the same again gives the plan that is waiting already. */
async function submit(services: OpenServices, place: ProjectPlace, author: string): Promise<PlanView> {
  const options = { allowDestructive: [], accept: [], replaceProject: false };
  const { view } = await planEnvironment(services, { place, environment: "prod", options, author, save: true });
  return view;
}

/** The story rests on these two; if one comes out otherwise the demo must say so instead of telling it. */
function expectResult(view: PlanView | null, result: PlanView["result"]): void {
  if (view === null || view.result === result) return;
  const why = view.blockers.map(({ sentence }) => sentence).join(" ");
  throw new Error(`The plan of ${view.author} is ${view.result}, not ${result}. ${why}`.trim());
}
