import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Where everybody of the demo works: one folder a person, each a checkout of the same shop. */
export interface Checkouts {
  /** What prod was applied from. */
  readonly shop: string;
  readonly ilse: string;
  readonly marek: string;
}

export function checkoutsIn(home: string): Checkouts {
  const folder = (who: string) => join(home, "checkouts", who, "shop");
  return { shop: folder("main"), ilse: folder("ilse"), marek: folder("marek") };
}

/** A copy of a whole project, unless there is one already. */
export function checkOut(from: string, to: string): void {
  if (existsSync(join(to, "config.yaml"))) return;
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== ".cache" });
}

/** Ilse has a model's columns in another order. Nothing is gained or lost by it. */
export function reorderItemColumns(project: string): void {
  edit(
    join(project, "models", "shop", "stg_items_base.sql"),
    "  item_id,\n  TRIM(name) AS name,\n  category,\n  price,\n  __is_deleted\n",
    "  item_id,\n  category,\n  TRIM(name) AS name,\n  price,\n  __is_deleted\n",
  );
}

/** Marek thinks that nobody needs the number of orders. The board's dashboard does. */
export function dropOrdersColumn(project: string): void {
  edit(
    join(project, "models", "mart", "sales_daily.sql"),
    "  ordered_on,\n  COUNT(DISTINCT order_id) AS orders,\n",
    "  ordered_on,\n",
  );
}

/** Made once: a file that holds the new text already is left as it is. */
function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, "utf8");
  if (text.includes(before)) writeFileSync(file, text.replace(before, after));
  else if (!text.includes(after)) throw new Error(`${file} is neither as it was copied nor as the demo edits it`);
}
