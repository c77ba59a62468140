// Bundles the command line and the server's entry points into dist/, split, so that each command loads only its own code.
// Packages stay outside: some find files beside themselves (WASM, native binaries, worker files), and esbuild gives a
// dynamically imported CommonJS package no named exports where Node gives them. It costs 6 ms of 87 (`weir --help`).
//   node scripts/bundle.mjs [--outdir DIR]

import { existsSync, readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const entries = ["server/cli/main.ts", "server/serve.ts", "server/jobs/worker.ts"].filter((entry) => existsSync(entry));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const { outdir } = parseArgs({ options: { outdir: { type: "string", default: "dist" } } }).values;

rmSync(outdir, { recursive: true, force: true });
if (entries.length === 0) {
  console.log("bundle: no entry point in server/ yet, nothing to do");
} else {
  const { metafile } = await build({
    entryPoints: entries,
    outbase: "server",
    outdir,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    packages: "external",
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    metafile: true,
    logLevel: "warning",
    define: { "process.env.WEIR_VERSION": JSON.stringify(version) },
  });
  const code = Object.entries(metafile.outputs).filter(([path]) => path.endsWith(".js"));
  const bytes = code.reduce((sum, [, output]) => sum + output.bytes, 0);
  console.log(`bundle: ${entries.join(", ")} → ${outdir}/ (${Math.ceil(bytes / 1024)} KiB in ${code.length} files)`);
}
