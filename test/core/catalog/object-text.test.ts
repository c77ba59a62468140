import { expect, test } from "vitest";
import { objectText } from "../../../server/core/catalog/object-text.ts";

test.each([
  [{ type: "view", schema: "bi", name: "revenue" }, "view bi.revenue"],
  [{ type: "materialized view", schema: "Bi", name: "a on b" }, 'materialized view "Bi"."a on b"'],
  [{ type: "function", schema: "bi", name: "total(integer)" }, "function bi.total(integer)"],
  [{ type: "trigger", schema: "shop", name: "audit on orders" }, "trigger audit on shop.orders"],
  [{ type: "policy", schema: "My Shop", name: "p on orders" }, 'policy p on "My Shop".orders'],
  [{ type: "table column", schema: "app", name: "orders.total" }, "table column app.orders.total"],
  [{ type: "extension", schema: "", name: "hstore" }, "extension hstore"],
])("%o reads as %s", (object, text) => {
  expect(objectText(object)).toBe(text);
});
