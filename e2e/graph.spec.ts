import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";

const graph = "/plans/k7qwm2x4hd3a/graph";

test("the graph draws every shown object once, and says so where it shows fewer", async ({ page, pages }) => {
  await page.goto(pages.link);
  await page.goto(`${pages.url}${graph}?all=true`);
  await expect(page.getByText("23 of 23 objects")).toBeVisible();
  await expect(page.locator("[data-node]")).toHaveCount(23);
  const ids = await page
    .locator("[data-node]")
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("data-node")));
  expect(new Set(ids).size).toBe(23);
});

test("focus shows what is reached, and u adds what it reads", async ({ page, pages }) => {
  await page.goto(pages.link);
  await page.goto(`${pages.url}${graph}`);
  await page.getByRole("button", { name: /^repro\.stg_items_base, / }).click();
  await expect(page.getByRole("region", { name: "Focused object" })).toContainText("Reaches");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Focused object" })).toBeHidden();
});

test("2,000 objects open as a table first, and say why", async ({ page, large }) => {
  await page.goto(large.link);
  await page.goto(`${large.url}/plans/l4large0plan/graph`);
  await expect(page.getByText("2,000 objects are too many to draw smoothly")).toBeVisible();
  await expect(page.getByRole("row").nth(3)).toBeVisible();
});

test("2,000 objects that are drawn all the same can be panned", async ({ page, large }) => {
  await page.goto(large.link);
  await page.goto(`${large.url}/plans/l4large0plan/graph`);
  await page.getByRole("button", { name: /^Draw all/ }).click();
  await expect(page.locator("[data-node]").first()).toBeVisible();
  const frames = await pan(page);
  expect(frames.length).toBeGreaterThan(10);
});

/** Milliseconds of each frame while the canvas is dragged to and fro for a while. */
async function pan(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(globalThis, { frames });
  });
  await page.mouse.move(700, 640);
  await page.mouse.down();
  for (let step = 0; step < 60; step += 1) await page.mouse.move(700 - 6 * step, 640 - 3 * step);
  await page.mouse.up();
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames);
}
