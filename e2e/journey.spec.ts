import { expect } from "@playwright/test";
import { test } from "./shop.ts";

// The main job in a real browser on the real product: a plan waits, is read, approved, started, watched, and has been applied.

test.describe.configure({ mode: "serial", timeout: 120_000 });

const outsideObjects = `
  SELECT c.oid::text, c.relname, pg_get_viewdef(c.oid) AS definition, pg_get_userbyid(c.relowner) AS owner, c.relacl::text AS grants
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'bi' ORDER BY c.relname`;
const servedColumns = `
  SELECT attname FROM pg_attribute WHERE attrelid = 'shop.stg_items_base'::regclass AND attnum > 0 ORDER BY attnum`;
const servedBy = `SELECT pg_get_viewdef('shop.stg_items_base'::regclass) AS definition`;

test("a plan goes from waiting through approve, start and watch to applied, and nothing of bi moves", async ({
  page,
  context,
  shop,
}) => {
  const before = await shop.warehouse.query(outsideObjects);
  const columnsBefore = await shop.warehouse.query(servedColumns);
  const [pointedAt] = await shop.warehouse.query(servedBy);
  expect(before.length).toBeGreaterThan(3);

  await page.goto(shop.link);
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("waits for a decision");

  // A second tab stays open on the environments, to see whether it follows without a reload.
  const other = await context.newPage();
  await other.goto(`${shop.url}/environments`);
  const prod = other.getByRole("row", { name: /^prod/ });
  await expect(prod).toBeVisible();

  await page.getByRole("link", { name: "Change shop.stg_items_base" }).click();
  await expect(page.getByText("Ready for review")).toBeVisible();
  await expect(page.getByText("7 to replace").first()).toBeVisible();
  const planId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByRole("link", { name: "shop.stg_items_base", exact: true }).click();
  const drawer = page.getByRole("complementary", { name: "shop.stg_items_base" });
  await drawer.getByRole("tab", { name: "Definition" }).click();
  await expect(drawer.getByText("TRIM(name)").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();

  await page
    .getByRole("link", { name: /^Outside/ })
    .first()
    .click();
  await expect(page.getByText("bi_owner").first()).toBeVisible();
  await expect(page.getByText("Stays as it is").first()).toBeVisible();

  await page.keyboard.press("a");
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "Reject this plan" }).click();
  await expect(sheet.getByText("Say why")).toBeVisible();
  await sheet.getByRole("textbox").fill("Looked at with care");
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await expect(sheet.getByRole("textbox")).toHaveValue("Looked at with care");
  await sheet.getByRole("button", { name: "Approve this plan" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Approved by");

  await page.getByRole("button", { name: "Start on prod" }).click();
  await page.waitForURL(/\/runs\//);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Applied: prod serves this plan", {
    timeout: 60_000,
  });
  await expect(page.getByText(/^Applied: 7 replaced, 0 dropped, 0 lost/).first()).toBeVisible();

  await expect(prod.getByRole("link", { name: planId })).toBeVisible({ timeout: 5_000 });

  expect(await shop.warehouse.query(outsideObjects)).toEqual(before);
  expect(await shop.warehouse.query(servedColumns)).toEqual(columnsBefore);
  expect(await shop.warehouse.query(servedBy)).not.toEqual([pointedAt]);
});

test("the blocked plan names what blocks it, its owner and the column, and offers no approval", async ({
  page,
  shop,
}) => {
  await page.goto(shop.link);
  await page.goto(`${shop.url}/plans?state=open`);
  await page.getByRole("link", { name: /mart\.sales_daily/ }).click();
  await page.getByRole("link", { name: "See what blocks it" }).click();
  const halt = page.getByRole("region", { name: "Blocked" }).first();
  await expect(halt).toContainText("bi.daily_revenue");
  await expect(halt).toContainText("bi_owner");
  await expect(halt).toContainText("orders");
  await expect(page.getByRole("button", { name: "Approve this plan" })).toHaveCount(0);
});

test("the run can be read again from its start, and a stream resumes after the last event that arrived", async ({
  page,
  shop,
}) => {
  await page.goto(shop.link);
  await page.goto(`${shop.url}/runs`);
  await page.locator("[data-row]").first().click();
  await expect(page.getByText("complete", { exact: true })).toBeVisible();
  const run = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  const input = encodeURIComponent(JSON.stringify({ json: { id: run, lastEventId: "5" } }));
  const text = await page.evaluate(async (path) => (await fetch(path)).text(), `/api/trpc/runs.follow?input=${input}`);
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids[0]).toBe(6);
  expect(ids).toEqual(ids.map((_, index) => index + 6));
});
