import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { everyPage } from "./every-page.ts";
import { test } from "./fixtures.ts";

for (const { name, path } of everyPage) {
  test(`axe finds nothing on ${name}, light and dark`, async ({ visitor, pages }) => {
    const page = await visitor.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of 404/.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${pages.url}${path}`);
    await expect(page.locator("h1")).toHaveCount(1);
    await page.waitForLoadState("load");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
      expect(found, colorScheme).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
}

test("every page fits a phone: nothing is wider than the window", async ({ visitor, pages }) => {
  const page = await visitor.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const { path } of everyPage) {
    await page.goto(`${pages.url}${path}`);
    await expect(page.locator("h1")).toHaveCount(1);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.close();
});

test("the journey works by keyboard alone", async ({ page, pages }) => {
  await page.goto(pages.link);
  await page.keyboard.press("j");
  await expect(page.locator(":focus")).toHaveAttribute("data-row", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/plans\//);
  await expect(page.getByRole("searchbox", { name: "Filter objects by name" })).toBeVisible();
  // A page that has just come may not listen yet: whoever sees nothing happen presses again.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: "Filter objects by name" })).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type("sales_daily");
  await page.getByRole("searchbox", { name: "Filter objects by name" }).blur();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "mart.sales_daily" })).toBeVisible();
  await page.keyboard.press("v");
  await expect(page.getByRole("button", { name: "Mark as not seen" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name: "mart.sales_daily" })).toBeHidden();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("a run says when its connection is lost, and goes on by itself", async ({ page, pages }) => {
  test.setTimeout(90_000);
  await page.goto(pages.link);
  await page.goto(`${pages.url}/runs/r_6running`);
  await expect(page.getByText("live", { exact: true })).toBeVisible();
  await expect(page.getByText(/^Connection lost/)).toHaveCount(0);
  pages.freeze();
  try {
    await expect(page.getByText(/^Connection lost\. Shown as of/)).toBeVisible({ timeout: 40_000 });
  } finally {
    pages.thaw();
  }
  await expect(page.getByText("live", { exact: true })).toBeVisible({ timeout: 25_000 });
});
