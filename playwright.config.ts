import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.ts";

const executablePath = findChromium();
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 120_000,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  reporter: "list",
  // Of a machine that does other things, too. What is never there costs as much, once.
  expect: { timeout: 30_000 },
  use: {
    browserName: "chromium",
    // Recording everything for the sake of what may fail takes a third of the time: say PLAYWRIGHT_TRACE=1 to look into one.
    trace: process.env.PLAYWRIGHT_TRACE === "1" ? "retain-on-failure" : "off",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Chromium's sandbox refuses root; the other flags keep it from calling home during a run.
      args: [...(isRoot ? ["--no-sandbox"] : []), "--disable-background-networking", "--disable-component-update"],
    },
  },
});
