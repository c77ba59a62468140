import { test as base } from "@playwright/test";
import { type Started, startProcess } from "./start-process.ts";

/** The pages over in-memory operations: odd names, large graphs and runs that stand still. */
export const test = base.extend<object, { pages: Started; large: Started }>({
  pages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const started = await startProcess(["test/fakes/serve-fixtures.ts"], {}, 60_000);
      await use(started);
      await started.stop();
    },
    { scope: "worker", timeout: 90_000 },
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
