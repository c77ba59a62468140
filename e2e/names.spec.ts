import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";

// Names with quotes, dots, slashes, per cent signs, markup and letters of any script, from the list, the graph and a pasted address.

const plan = "/plans/o9odd3names1";
const names = ['"Sales"."Top.10"', 'shop."a/b"', 'shop."größe"', 'shop."100%"', 'shop."<b>x</b>"'];

for (const name of names) {
  test(`${name} opens from the list, from the graph and by address`, async ({ page, pages }) => {
    const drawer = page.getByRole("complementary", { name, exact: true });
    await page.goto(pages.link);
    await page.goto(`${pages.url}${plan}`);
    await page.getByRole("link", { name, exact: true }).click();
    await expect(drawer).toBeVisible();
    const address = page.url();

    await page.goto(`${pages.url}${plan}/graph`);
    await page.getByRole("button", { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}, `) }).click();
    await page.getByRole("link", { name: "Open evidence" }).click();
    await expect(drawer).toBeVisible();

    await page.goto(address);
    await expect(drawer).toBeVisible();
    await expect(page.locator("b", { hasText: /^x$/ })).toHaveCount(0);

    await page.goto(`${pages.url}/environments/dev_ilse?object=${encodeURIComponent(name)}`);
    await expect(drawer).toBeVisible();
  });
}

test("search takes no notice of case and quotes, and offers the exact name", async ({ page, pages }) => {
  await page.goto(pages.link);
  await page.getByRole("combobox").fill("sales.top");
  await expect(page.getByRole("option", { name: '"Sales"."Top.10"' }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/environments\/dev_ilse/);
  await expect(page.getByRole("complementary", { name: '"Sales"."Top.10"', exact: true })).toBeVisible();
});
