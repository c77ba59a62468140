import { expect, test } from "vitest";
import { displayObject } from "../../../server/core/catalog/display-object.ts";

test.each([
  [{ type: "view", schema: "bi", name: "revenue" }, "bi.revenue"],
  [{ type: "materialized view", schema: "Bi", name: "a on b" }, '"Bi"."a on b"'],
  [{ type: "function", schema: "bi", name: "total(integer)" }, "bi.total(integer)"],
  [{ type: "trigger", schema: "shop", name: "audit on orders" }, "audit on shop.orders"],
  [{ type: "policy", schema: "My Shop", name: "p on orders" }, 'p on "My Shop".orders'],
  [{ type: "table column", schema: "app", name: "orders.total" }, "app.orders.total"],
  [{ type: "extension", schema: "", name: "hstore" }, "hstore"],
  [{ type: "extension", schema: "", name: "uuid-ossp" }, '"uuid-ossp"'],
  [{ type: "schema", schema: "", name: "Bi" }, '"Bi"'],
])("%o reads as %s", (object, text) => {
  expect(displayObject(object)).toBe(text);
});
