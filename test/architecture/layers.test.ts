import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// The layer rules are only worth something if they fire: a wrong pattern, or a checker that can't read TypeScript,
// reports success for ever. So each rule of .dependency-cruiser.cjs has a breach here, in a folder of its own.

const root = resolve(import.meta.dirname, "../..");
const { forbidden } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  forbidden: { name: string; comment?: string; severity?: string }[];
};

/** Rule → the file that breaks it, then what else must exist. The first file is the one blamed. */
const breaches: Record<string, readonly [breach: readonly [path: string, text: string], ...rest: string[]]> = {
  "no-cycle": [["server/operations/ring-a.ts", 'import "./ring-b.ts";'], "server/operations/ring-b.ts < ./ring-a.ts"],
  "no-cycle-in-core": [
    ["server/core/dag/ring-a.ts", 'import type { x } from "./ring-b.ts"; export type y = typeof x;'],
    "server/core/dag/ring-b.ts < type ./ring-a.ts",
  ],
  "no-unresolvable": [["server/operations/lost.ts", 'import "./nowhere.ts";']],
  "no-dev-dependency-in-product": [["server/cli/dev.ts", 'import "vitest";']],
  "core-is-pure": [["server/core/base/impure.ts", 'import "node:fs";']],
  "core-hash-is-the-only-door-to-noble-hashes": [["server/core/base/hash.ts", 'import "zod";']],
  "core-codecs-are-the-only-door-to-zod": [["server/core/plan/plan-codec.ts", 'import "@noble/hashes";']],
  "core-folder-has-its-place": [["server/core/unplaced/a.ts", 'import "../base/leaf.ts";']],
  "core-folder-has-its-place-imported": [["server/core/base/to-unplaced.ts", 'import "../unplaced/b.ts";']],
  "core-order-base": [["server/core/base/up.ts", 'import type {} from "../sql/leaf.ts";']],
  "core-order-sql": [["server/core/sql/up.ts", 'import "../dag/leaf.ts";']],
  "core-order-dag": [["server/core/dag/up.ts", 'import "../sql/leaf.ts";']],
  "core-order-model": [["server/core/model/up.ts", 'import "../snapshot/leaf.ts";']],
  "core-order-snapshot": [["server/core/snapshot/up.ts", 'import "../environment/leaf.ts";']],
  "core-order-environment": [["server/core/environment/up.ts", 'import "../catalog/leaf.ts";']],
  "core-order-catalog": [["server/core/catalog/up.ts", 'import "../environment/leaf.ts";']],
  "core-order-plan": [["server/core/plan/up.ts", 'import "../review/leaf.ts";']],
  "core-order-review": [["server/core/review/up.ts", 'import "../stage/leaf.ts";']],
  "core-order-stage": [["server/core/stage/up.ts", 'import "../review/leaf.ts";']],
  "core-order-engine": [["server/core/engine/up.ts", 'import "../review/leaf.ts";']],
  "core-engines-do-not-know-each-other": [
    ["server/core/engine/risingwave/other.ts", 'import "../postgres/leaf.ts";'],
    "server/core/engine/postgres/leaf.ts",
  ],
  "ports-speak-core": [["server/ports/wide.ts", 'import type {} from "pg";']],
  "ports-import-types": [["server/ports/runs.ts", 'import "../core/base/leaf.ts";']],
  "ports-are-types": [["server/operations/runs-port.ts", 'import "../ports/leaf.ts";']],
  "adapters-never-sideways": [["server/engine/sideways.ts", 'import "../state/leaf.ts";']],
  "adapters-look-down": [["server/notify/up.ts", 'import "../operations/leaf.ts";']],
  "only-compose-picks-adapters": [["server/jobs/picks.ts", 'import "../state/leaf.ts";']],
  "operations-import-core-and-ports": [["server/evaluator/wide.ts", 'import "node:timers";']],
  "evaluator-does-not-call-operations": [["server/evaluator/up.ts", 'import "../operations/leaf.ts";']],
  "compose-looks-down": [["server/compose.ts", 'import "./api/leaf.ts";']],
  "drivers-never-sideways": [["server/api/sideways.ts", 'import "../jobs/leaf.ts";']],
  "server-does-not-know-its-screens": [["server/api/screen.ts", 'import "../../components/leaf.tsx";']],
  "app-reaches-server-through-app-server": [["app/past-the-door.tsx", 'import "../server/api/leaf.ts";']],
  "app-server-opens-on-api": [["app/server.ts", 'import "../server/operations/leaf.ts";']],
  "app-types": [["app/types.tsx", 'import type {} from "../server/operations/leaf.ts";']],
  "components-import-types": [["components/runs.tsx", 'import "../server/core/review/leaf.ts";']],
  "components-know-views": [["components/plan.tsx", 'import type {} from "../server/core/plan/leaf.ts";']],
  "components-run-in-a-browser": [["components/page.tsx", 'import "../app/leaf.tsx";']],
  "components-use-no-node-module": [["components/node.tsx", 'import "path";']],
  "only-state-imports-drizzle": [["server/engine/drizzle.ts", 'import type {} from "drizzle-orm";']],
  "only-engine-and-state-import-pg": [["server/auth/driver.ts", 'import type {} from "pg";']],
  "nothing-imports-tests": [["scripts/uses-test.ts", 'import "../test/leaf.ts";']],
};

/** What the layers allow and the rules must therefore not mention. */
const allowed: readonly (readonly [path: string, text: string])[] = [
  ["server/core/review/allowed.ts", 'import "../plan/leaf.ts"; import type {} from "../base/leaf.ts";'],
  ["server/core/engine/postgres/allowed.ts", 'import "../../plan/leaf.ts"; import "../../catalog/leaf.ts";'],
  ["server/core/catalog/catalog-codec.ts", 'import "zod"; import "../base/leaf.ts";'],
  ["server/ports/allowed.ts", 'import type {} from "../core/plan/leaf.ts";'],
  [
    "server/state/allowed.ts",
    'import "pg"; import "drizzle-orm"; import "node:fs"; import type {} from "../ports/leaf.ts";',
  ],
  ["server/operations/allowed.ts", 'import "../evaluator/leaf.ts"; import type {} from "../ports/leaf.ts";'],
  ["server/cli/allowed.ts", 'import "../compose-leaf.ts"; import type {} from "../api/root.ts";'],
  [
    "app/allowed.tsx",
    'import "./server.ts"; import "../components/leaf.tsx"; import type {} from "../server/api/root.ts";',
  ],
  [
    "components/allowed.tsx",
    'import type {} from "../server/core/review/leaf.ts"; import type {} from "../server/api/root.ts";',
  ],
  ["test/allowed.ts", 'import "../server/state/leaf.ts"; import "vitest"; import "pg";'],
];

const leaves = [
  ...["base", "sql", "dag", "model", "snapshot", "environment", "catalog", "plan", "review", "stage"].map(
    (folder) => `server/core/${folder}/leaf.ts`,
  ),
  ...["ports", "state", "operations", "evaluator", "api", "jobs"].map((folder) => `server/${folder}/leaf.ts`),
  ...["server/core/unplaced/b.ts", "server/api/root.ts", "server/compose-leaf.ts", "test/leaf.ts"],
  ...["components/leaf.tsx", "app/leaf.tsx"],
];
const packages = ["@noble/hashes", "drizzle-orm", "pg", "zod", "vitest"];

let folder = "";
let found: { from: string; rule: { name: string } }[] = [];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-layers-"));
  cpSync(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
  const versions = Object.fromEntries(packages.map((name) => [name, "1.0.0"]));
  const { vitest, ...dependencies } = versions;
  write("package.json", JSON.stringify({ name: "breaches", dependencies, devDependencies: { vitest } }));
  for (const name of packages) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(`node_modules/${name}/index.js`, "");
  }
  for (const leaf of leaves) write(leaf, "export const x = 1;");
  for (const [[path, text], ...rest] of Object.values(breaches)) {
    write(path, text);
    for (const line of rest) {
      const [other = "", target] = line.split(" < ");
      if (target === undefined) write(other, "export const x = 1;");
      else if (target.startsWith("type "))
        write(other, `import type {} from "${target.slice(5)}"; export const x = 1;`);
      else write(other, `import "${target}"; export const x = 1;`);
    }
  }
  for (const [path, text] of allowed) write(path, text);
  const output = execFileSync(process.execPath, [join(root, "scripts/check-layers.mjs"), "--json"], {
    cwd: folder,
    encoding: "utf8",
  });
  found = JSON.parse(output);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the layers", () => {
  test("every rule is an error and gives its reason", () => {
    for (const rule of forbidden)
      expect(rule, rule.name).toMatchObject({ severity: "error", comment: expect.stringMatching(/\w/) });
  });

  test("every rule has a breach here, and every breach a rule", () => {
    expect(Object.keys(breaches).sort()).toEqual(forbidden.map((rule) => rule.name).sort());
  });

  test.each(Object.entries(breaches))("%s catches its breach", (rule, [[path]]) => {
    expect(found.filter((violation) => violation.rule.name === rule).map((violation) => violation.from)).toContain(
      path,
    );
  });

  test.each(allowed)("%s is allowed", (path) => {
    expect(found.filter((violation) => violation.from === path).map((violation) => violation.rule.name)).toEqual([]);
  });
});
