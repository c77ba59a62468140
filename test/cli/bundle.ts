import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The command line as it ships, to be run by Node. */
    weirProgram: string;
  }
}

/** Vitest globalSetup: bundles the command line once, beside the sources, so that it finds packages and migrations. */
export default function bundleCommandLine(project: TestProject): () => void {
  const outdir = resolve(`.cache/command-line-${project.name}-${process.pid}`);
  execFileSync(process.execPath, ["scripts/bundle.mjs", "--outdir", outdir], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  project.provide("weirProgram", resolve(outdir, "cli", "main.js"));
  return () => rmSync(outdir, { recursive: true, force: true });
}
