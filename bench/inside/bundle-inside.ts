import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { type Measured, runMeasured } from "../measure/run-measured.ts";

const root = resolve(import.meta.dirname, "../..");
const outdir = join(root, ".cache", "bench", "inside");

export type InsideProgram = "load-project" | "read-shapes" | "read-closure" | "write-journal";

/** What stands in this folder is measured as it would ship, not through a compiler that runs beside it. */
export async function bundleInside(): Promise<void> {
  mkdirSync(outdir, { recursive: true });
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const programs: readonly InsideProgram[] = ["load-project", "read-shapes", "read-closure", "write-journal"];
  await build({
    entryPoints: programs.map((name) => join(root, "bench", "inside", `${name}.ts`)),
    outdir,
    bundle: true,
    external: [...Object.keys({ ...dependencies, ...optionalDependencies }), "pg-native"],
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    logLevel: "warning",
  });
}

export function insideProgram(name: InsideProgram): string {
  return join(outdir, `${name}.js`);
}

export interface InsideOutcome<Value> extends Pick<Measured, "cost"> {
  /** What it printed. */
  readonly value: Value;
}

export async function runInside<Value>(
  program: InsideProgram,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  readServerCpuMs: () => number = () => 0,
): Promise<InsideOutcome<Value>> {
  const command = {
    program: process.execPath,
    words: [insideProgram(program), ...words],
    folder: root,
    environment,
  };
  const { cost, stdout } = await runMeasured(command, readServerCpuMs);
  return { cost, value: JSON.parse(stdout) as Value };
}
