// `npm run screens`: a picture of every page in two sizes and two themes, into screens/. The pages stand over fixtures, so
// that two runs can be compared. Needs a build; makes one if there is none.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "./find-chromium.ts";

const root = resolve(import.meta.dirname, "..");
const target = join(root, "screens");
const sizes = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
] as const;
const themes = ["light", "dark"] as const;
const START_LIMIT_MS = 60_000;

if (!existsSync(join(root, ".next", "BUILD_ID"))) {
  const { status } = spawnSync("npx", ["next", "build"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const server = spawn(process.execPath, ["--import", "tsx", "test/fakes/serve-fixtures.ts"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
});
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const link = await readLink();
  const { everyPage } = (await import(new URL("../e2e/every-page.ts", import.meta.url).href)) as {
    readonly everyPage: readonly { readonly name: string; readonly path: string }[];
  };
  for (const theme of themes) for (const size of sizes) await take(browser, link, everyPage, theme, size);
} finally {
  await browser.close();
  server.kill("SIGTERM");
}

function readLink(): Promise<string> {
  return new Promise((done, fail) => {
    let said = "";
    const timer = setTimeout(
      () => fail(new Error(`the pages did not start within ${START_LIMIT_MS} ms`)),
      START_LIMIT_MS,
    );
    server.once("exit", (code) => fail(new Error(`the pages ended with ${code}: ${said}`)));
    server.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const link = /http:\/\/\S+\?token=[\w-]+/.exec(said)?.[0];
      if (link === undefined) return;
      clearTimeout(timer);
      done(link);
    });
  });
}

async function take(
  browser: Browser,
  link: string,
  pages: readonly { readonly name: string; readonly path: string }[],
  theme: (typeof themes)[number],
  viewport: (typeof sizes)[number],
): Promise<void> {
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(link);
  for (const { name, path } of pages) {
    await page.goto(new URL(path, link).href, { waitUntil: "load" });
    await page.locator("h1").waitFor();
    await page.evaluate(() => document.fonts.ready);
    // Live parts paint once their first answer is in; the pages say so by going quiet.
    await page.waitForFunction(() => document.querySelector("[aria-busy='true']") === null);
    await page.waitForFunction(() => {
      const graph = document.querySelector(".react-flow");
      return graph === null || graph.querySelector("[data-node]") !== null;
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const file = `${name}-${viewport.width}-${theme}.png`;
    await page.screenshot({ path: join(target, file) });
    process.stdout.write(`${file}\n`);
  }
  await context.close();
}
