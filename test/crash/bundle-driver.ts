import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    driver: string;
  }
}

/** Vitest globalSetup: the driver and its packages as one file, which starts in a fraction of the time. */
export default async function bundleDriver(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "weir-driver-"));
  const driver = join(folder, "driver.mjs");
  const parser = createRequire(import.meta.url).resolve("libpg-query");
  await build({
    entryPoints: [resolve(import.meta.dirname, "driver.ts")],
    outfile: driver,
    bundle: true,
    minify: true,
    // The parser finds its WASM beside itself, so it stays where it is, under its whole path. pg-native isn't there.
    alias: { "libpg-query": parser },
    external: [parser, "pg-native"],
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  project.provide("driver", driver);
  return () => rmSync(folder, { recursive: true, force: true });
}
