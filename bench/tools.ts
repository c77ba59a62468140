import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BenchDatabase, BenchServer } from "./bench-server.ts";
import { insideProgram } from "./inside/bundle-inside.ts";
import { type Measured, runMeasured } from "./measure/run-measured.ts";

/** The two command lines. Both get the same project, the same server and a database each. */
export interface Tool {
  readonly name: "Weir" | "SQLMesh";
  readonly version: string;
  /** Plans prod, applies what there is to apply. */
  readonly apply: (folder: string, database: BenchDatabase, environment?: string) => Promise<Measured>;
  /** Plans prod, applies nothing. */
  readonly plan: (folder: string, database: BenchDatabase) => Promise<Measured>;
  /** Reads the project and does nothing with it; Weir makes its fingerprints as well, and prints both times. */
  readonly load: (folder: string, database: BenchDatabase) => Promise<Measured>;
  /** Removes what it keeps beside the project to be faster next time. */
  readonly forget: (folder: string) => void;
}

const root = resolve(import.meta.dirname, "..");

/** The bundle, as `npm run build` makes it and `bin/weir` starts it. */
export function weir(server: Pick<BenchServer, "readCpuMs">, profile: string | null): Tool {
  const program = join(root, "dist", "cli", "main.js");
  if (!existsSync(program)) throw new Error("Weir isn't built. Run `npm run build` first.");
  const node = profile === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const run = (folder: string, database: BenchDatabase, words: readonly string[]): Promise<Measured> =>
    runMeasured(
      {
        program: process.execPath,
        words: [...node, program, "plan", ...words, "--no-prompts"],
        folder,
        environment: database.environment,
      },
      server.readCpuMs,
    );
  return {
    name: "Weir",
    version: execFileSync(process.execPath, [program, "--version"], { encoding: "utf8" }).trim(),
    apply: (folder, database, environment = "prod") => run(folder, database, [environment, "--auto-apply"]),
    plan: (folder, database) => run(folder, database, ["prod"]),
    load: (folder, database) =>
      runMeasured({
        program: process.execPath,
        words: [insideProgram("load-project"), folder],
        folder,
        environment: database.environment,
      }),
    forget: (folder) => rmSync(join(folder, ".cache"), { recursive: true, force: true }),
  };
}

/** SQLMesh as its users start it, in a virtual environment of its own; null if there is none at `program`. */
export function sqlmesh(server: Pick<BenchServer, "readCpuMs">, program: string | null): Tool | null {
  if (program === null) return null;
  if (!existsSync(program)) throw new Error(`There is no SQLMesh at ${program}.`);
  const quiet = { SQLMESH__DISABLE_ANONYMIZED_ANALYTICS: "true", NO_COLOR: "1", TERM: "dumb" };
  const run = (folder: string, database: BenchDatabase, words: readonly string[], input = ""): Promise<Measured> =>
    runMeasured(
      {
        program,
        words: ["plan", ...words, "--skip-tests", "--no-prompts"],
        folder,
        environment: { ...database.environment, ...quiet },
        input,
      },
      server.readCpuMs,
    );
  return {
    name: "SQLMesh",
    version: execFileSync(program, ["--version"], { encoding: "utf8" }).trim(),
    // A new environment of SQLMesh's holds only what was changed, unless asked for; one of Weir's holds the project.
    apply: (folder, database, environment = "prod") =>
      run(folder, database, [environment, "--auto-apply", ...(environment === "prod" ? [] : ["--include-unmodified"])]),
    // Without --auto-apply it asks all the same whether to apply.
    plan: (folder, database) => run(folder, database, ["prod"], "n\n"),
    load: (folder, database) =>
      runMeasured({
        program: join(dirname(program), "python"),
        words: ["-c", "from sqlmesh import Context; Context(paths=['.'])"],
        folder,
        environment: { ...database.environment, ...quiet },
      }),
    forget: (folder) => rmSync(join(folder, ".cache"), { recursive: true, force: true }),
  };
}
