import { z } from "zod";
import { relationKey } from "../../core/base/relation-name.ts";
import type { PlanView } from "../../core/review/plan-view.ts";
import { list } from "../list-schema.ts";
import type { ShownPlan } from "../operations.ts";
import { runSchema } from "../runs/run-schema.ts";
import { riskSchema, summarySchema, tilesSchema } from "./plan-view-schema.ts";
import { planStateSchema } from "./shown-plan-schema.ts";

const name = z.object({ mark: z.string(), label: z.string(), managed: z.boolean(), owner: z.string().nullable() });

/** One row of a list of plans, with the preview beside it: a plan without its texts, statements and graph. */
export const planCardSchema = z.object({
  id: z.string(),
  digest: z.string(),
  title: z.string(),
  environment: z.string(),
  author: z.string(),
  now: z.string(),
  result: z.enum(["empty", "applicable", "blocked"]),
  state: planStateSchema,
  stateBy: z.string().nullable(),
  stateAt: z.string(),
  stateReason: z.string().nullable(),
  moved: list(z.string()),
  supersededBy: z.string().nullable(),
  verdict: z.string(),
  risk: riskSchema,
  summary: summarySchema,
  tiles: tilesSchema,
  names: list(name),
  blockers: list(z.string()),
  run: runSchema.nullable(),
});
export type PlanCard = z.infer<typeof planCardSchema>;

export function cardOf({ view, runs, decisions: _, ...record }: ShownPlan): PlanCard {
  const { id, digest, environment, author, now, result, verdict, risk, summary, tiles } = view;
  return {
    ...{ id, digest, environment, author, now, result, verdict, risk, summary, tiles, ...record },
    title: planTitle(view),
    names: view.graph.nodes.flatMap(({ id, mark, label, schema, managed, owner }) =>
      mark === null || mark === "kept" || mark === "indirect" || mark === "metadata"
        ? []
        : [{ mark, label: managed ? id : relationKey({ schema, name: label }), managed, owner }],
    ),
    blockers: view.blockers.map((blocker) => blocker.sentence),
    run: runs[0] ?? null,
  };
}

/** What somebody edited, in words: plans have no title of their own. */
export function planTitle(view: PlanView): string {
  const edited = view.changes.filter((each) => each.change !== "indirect");
  const named = edited.length > 0 ? edited : view.changes;
  const [first, second] = named;
  if (first === undefined) return `No changes to ${view.environment}`;
  const verbs = {
    added: "Add",
    removed: "Remove",
    modified: "Change",
    indirect: "Rebuild",
    metadata: "Relabel",
  } as const;
  const verb = named.every((each) => each.change === first.change) ? verbs[first.change] : "Change";
  if (second === undefined) return `${verb} ${first.model}`;
  if (named.length === 2) return `${verb} ${first.model} and ${second.model}`;
  return `${verb} ${first.model} and ${named.length - 1} more models`;
}
