// Runs dependency-cruiser with .dependency-cruiser.cjs over what we wrote in the current folder.
// With --json it prints the breaches as JSON and always succeeds.
//
// Why not the plain command: dependency-cruiser reads TypeScript through the compiler's JavaScript API, and
// TypeScript 7 ships none. It then skips every .ts file without a word and reports success. So its
// `typescript` is answered with the last compiler that has the API, as packaged by @ts-morph/common (which, unlike
// an aliased typescript, brings no second `tsc` into node_modules/.bin). A run that saw no .ts file is a fault.

import { existsSync } from "node:fs";
import { createRequire, Module, register } from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const compiler = require.resolve("@ts-morph/common/dist/typescript.js");
const { version } = require(compiler);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  return request === "typescript" ? compiler : resolveFilename.call(this, request, ...rest);
};
const load = Module.prototype.require;
Module.prototype.require = function (request) {
  return request === "typescript/package.json" ? { version } : load.call(this, request);
};
register(
  `data:text/javascript,${encodeURIComponent(
    `export const resolve = (name, context, next) =>
       name === "typescript" ? { url: ${JSON.stringify(pathToFileURL(compiler).href)}, shortCircuit: true } : next(name, context);`,
  )}`,
);

const { cruise, format } = await import("dependency-cruiser");
const { default: extractTsConfig } = await import("dependency-cruiser/config-utl/extract-ts-config");
const { forbidden, options } = require("../.dependency-cruiser.cjs");

const folders = ["server", "app", "components", "scripts", "test", "e2e", "bin"];
const present = [...folders, "proxy.ts"].filter((path) => existsSync(path));
const cruiseOptions = { ...options, validate: true, ruleSet: { forbidden } };
const { output } = await cruise(present, cruiseOptions, undefined, { tsConfig: extractTsConfig("tsconfig.json") });

if (!output.modules.some((module) => /\.tsx?$/.test(module.source) && module.dependencies.length > 0)) {
  process.stderr.write("dependency-cruiser read no TypeScript file: its compiler did not load\n");
  process.exit(1);
}
if (process.argv.includes("--json")) {
  process.stdout.write(JSON.stringify(output.summary.violations));
} else {
  const report = await format(output, { outputType: "err" });
  process.stdout.write(report.output);
  process.exitCode = output.summary.error === 0 ? 0 : 1;
}
