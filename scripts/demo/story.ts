import type { PlanView } from "../../server/core/review/plan-view.ts";
import type { Checkouts } from "./checkouts.ts";
import type { FilledDemo } from "./fill-demo.ts";

/** What waits and what to look at, for somebody who has never seen it. */
export function tellStory({ reorder, drop }: FilledDemo, checkouts: Checkouts): string {
  return [
    "",
    "A shop runs on this machine: 16 models in the schemas shop and mart, and on top of them four objects of",
    "other people in the schema bi, which the project knows nothing of.",
    "",
    ...reorderLines(reorder),
    "",
    `  ${drop.id}  by marek, blocked: drops "orders" from mart.sales_daily.`,
    "                bi.daily_revenue uses that column, and bi.revenue_by_week hangs on it. The plan names both,",
    "                with their owner, before anything has run.",
    "",
    "What to click:",
    ...(reorder === null
      ? []
      : [
          `  1. Open plan ${reorder.id}: verdict, objects, graph, statements; then Outside.`,
          "  2. Approve this plan, then Start on prod, and watch it. The views of bi answer all the while.",
        ]),
    `  ${reorder === null ? "1" : "3"}. Open plan ${drop.id}: why it is blocked, by whom each object is owned, what each uses.`,
    `  ${reorder === null ? "2" : "4"}. Environments, prod: what stands behind each name.`,
    "",
    `The checkouts are in ${checkouts.shop.replace(/main.shop$/, "")}. Start over: npm run demo -- --reset`,
    "",
  ].join("\n");
}

function reorderLines(reorder: PlanView | null): readonly string[] {
  if (reorder === null)
    return ["The plan of ilse has been applied, and nothing of bi moved. One plan is still waiting for prod:"];
  return [
    "Two plans are waiting for prod:",
    "",
    `  ${reorder.id}  by ilse, applicable: another order of columns in shop.stg_items_base.`,
    "                A tool that drops and re-creates that view would take bi.catalogue and bi.items_per_category",
    "                with it. Here neither moves, and readers of the view keep the order that they are served.",
  ];
}
