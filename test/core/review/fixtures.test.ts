import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { describePlan } from "../../../server/core/review/describe-plan.ts";
import type { PlanView } from "../../../server/core/review/plan-view.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { anOutsideObject } from "../../builders/catalog.ts";
import {
  applyTo,
  emptyWorld,
  type PlanWish,
  planOf,
  type Shapes,
  type World,
  withRelation,
} from "../../builders/plan.ts";
import { projectOf } from "../../builders/project.ts";
import { nameHashes } from "../../builders/tokens.ts";

/**
 * The two plans that screens are built and looked at with: made from the example project, so they can't go stale
 * unnoticed. `UPDATE=1 npx vitest run test/core/review/fixtures.test.ts` writes them anew; review the difference.
 */
const root = join(import.meta.dirname, "../../..");
let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

test("the applicable fixture is what the example gives: BI keeps its views through a reorder", () => {
  const plan = shopPlan((files) => {
    edit(files, "shop/stg_items_base", "  TRIM(name) AS name,\n  category,", "  category,\n  TRIM(name) AS name,");
    edit(
      files,
      "mart/sales_daily",
      "  SUM(revenue) AS revenue\n",
      "  SUM(revenue) AS revenue,\n  COUNT(DISTINCT customer_id) AS customers\n",
    );
    edit(files, "mart/region_sales", "Customers and revenue by region", "Customers and revenue of each region");
    edit(files, "shop/stg_orders", "tags (staging)", "tags (staging, orders)");
    files.delete("models/mart/best_sellers.sql");
    files.set("models/mart/category_sales.sql", categorySales);
  });
  expect(plan.result).toBe("applicable");
  expect(plan.summary.line).toContain("1 to create");
  expect(plan.dependents.map((dependent) => dependent.fate)).not.toContain("blocked");
  compareFixture("plan-applicable.json", plan);
});

test("the blocked fixture names whose view would be lost, and by which column", () => {
  const plan = shopPlan((files) => edit(files, "shop/stg_items", "  category,\n  price\n", "  category\n"));
  expect(plan.result).toBe("blocked");
  expect(plan.blockers.map((blocker) => blocker.code)).toContain("outside_object_lost");
  compareFixture("plan-blocked.json", plan);
});

function compareFixture(name: string, view: PlanView): void {
  const path = join(root, "test/fixtures", name);
  const text = `${JSON.stringify(view, null, 2)}\n`;
  if (process.env.UPDATE === "1") writeFileSync(path, text);
  expect(nameHashes(text)).toBe(nameHashes(readFileSync(path, "utf8")));
}

function shopPlan(change: (files: Map<string, string>) => void, wish: PlanWish = {}): PlanView {
  const before = projectOf(parser, readExample());
  const first = planOf(parser, emptyWorld, before, shapes);
  const world = withPeople(applyTo(emptyWorld, before, first, parser));
  const files = readExample();
  change(files);
  const after = projectOf(parser, files);
  const plan = planOf(parser, world, after, afterShapes(after.models.map((model) => model.text).join("\n")), wish);
  return describePlan(plan, "open", world.snapshots);
}

/** Rows and sizes as a small shop has them, and a few views of the people in BI. */
function withPeople(world: World): World {
  const sized = world.catalog.relations.reduce(
    (next, relation, index) =>
      relation.kind === "view"
        ? next
        : withRelation(next, `${relation.name.schema}.${relation.name.name}`, (each) => ({
            ...each,
            estimatedRows: 1_200 * (index + 1),
            bytes: 98_304 * (index + 1),
          })),
    world,
  );
  return {
    ...sized,
    outside: [
      anOutsideObject("view", "bi.price_list", "bi_team", { "shop.stg_items": ["item_id", "name", "price"] }),
      anOutsideObject("materialized view", "bi.items_by_category", "bi_team", {
        "shop.stg_items_base": ["item_id", "category", "__is_deleted"],
      }),
      anOutsideObject("view", "bi.category_overview", "bi_team", { "bi.items_by_category": ["category"] }),
      anOutsideObject("view", "finance.daily_board", "finance", { "mart.sales_daily": ["ordered_on", "revenue"] }),
    ],
  };
}

function readExample(): Map<string, string> {
  const folder = join(root, "examples/shop");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /^(models|seeds)\/.*\.(sql|csv)$/.test(path.replaceAll("\\", "/")))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

function edit(files: Map<string, string>, model: string, from: string, to: string): void {
  const path = `models/${model}.sql`;
  const text = files.get(path) ?? "";
  if (!text.includes(from)) throw new Error(`${path} doesn't hold ${JSON.stringify(from)}`);
  files.set(path, text.replace(from, to));
}

const categorySales = `MODEL (
  name mart.category_sales,
  kind VIEW,
  owner analytics,
  description 'Revenue by category',
  tags (mart)
);

SELECT category, SUM(revenue) AS revenue
FROM mart.sales_by_item
GROUP BY category
`;

const shapes: Shapes = {
  "shop.seed_customers": "customer_id integer, name text, region_code text, signed_up_on date",
  "shop.seed_items": "item_id integer, name text, category text, price numeric(10,2), is_deleted boolean",
  "shop.seed_orders":
    "order_id integer, ordered_on date, customer_id integer, item_id integer, quantity integer, discount_percent numeric(5,2), status text",
  "shop.seed_regions": "region_code text, name text, warehouse text",
  "shop.raw_items": "item_id integer, name text, category text, price numeric(10,2), __is_deleted boolean",
  "shop.stg_items_base": "item_id integer, name text, category text, price numeric(10,2), __is_deleted boolean",
  "shop.stg_items": "item_id integer, name text, category text, price numeric(10,2)",
  "shop.stg_orders":
    "order_id integer, ordered_on date, customer_id integer, item_id integer, quantity integer, discount_percent numeric",
  "shop.stg_customers": "customer_id integer, name text, region_code text, region text, signed_up_on date",
  "shop.audit_items": "category text, item_id integer, name text, price numeric(10,2), __is_deleted boolean",
  "shop.order_values":
    "order_id integer, ordered_on date, customer_id integer, item_id integer, quantity integer, revenue numeric",
  "mart.sales_by_item": "item_id integer, name text, category text, pieces bigint, revenue numeric",
  "mart.sales_daily": "ordered_on date, orders bigint, pieces bigint, revenue numeric",
  "mart.customer_value":
    "customer_id integer, name text, region_code text, orders bigint, revenue numeric, last_ordered_on date",
  "mart.region_sales": "region_code text, region text, warehouse text, customers bigint, revenue numeric",
  "mart.best_sellers": "category text, place bigint, item_id integer, name text, revenue numeric",
  "mart.category_sales": "category text, revenue numeric",
};

function afterShapes(texts: string): Shapes {
  const reordered = texts.includes("category,\n  TRIM(name) AS name");
  const customers = texts.includes("AS customers\nFROM shop.order_values");
  const noPrice = !texts.includes("  category,\n  price\nFROM shop.stg_items_base");
  return {
    ...shapes,
    ...(reordered
      ? {
          "shop.stg_items_base": "item_id integer, category text, name text, price numeric(10,2), __is_deleted boolean",
        }
      : {}),
    ...(customers
      ? { "mart.sales_daily": "ordered_on date, orders bigint, pieces bigint, revenue numeric, customers bigint" }
      : {}),
    ...(noPrice ? { "shop.stg_items": "item_id integer, name text, category text" } : {}),
  };
}
