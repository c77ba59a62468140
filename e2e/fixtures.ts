import { type BrowserContext, test as base } from "@playwright/test";
import { type Started, startProcess } from "./start-process.ts";

/**
 * The pages over in-memory operations: odd names, large graphs and runs that stand still. `visitor` has come in by the
 * link of `pages` and keeps what a browser keeps from page to page.
 */
export const test = base.extend<object, { pages: Started; large: Started; visitor: BrowserContext }>({
  pages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const started = await startProcess(["test/fakes/serve-fixtures.ts"], {}, 60_000);
      await use(started);
      await started.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  visitor: [
    async ({ browser, pages }, use) => {
      const context = await browser.newContext({ reducedMotion: "reduce" });
      await context.newPage().then((page) => page.goto(pages.link));
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  large: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const started = await startProcess(["test/fakes/serve-fixtures.ts"], { FIXTURE_LARGE: "2000" }, 60_000);
      await use(started);
      await started.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});
