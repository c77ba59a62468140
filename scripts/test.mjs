// `npm test`: every check there is, in order of how soon it speaks, all of them even after a failure, and one closing
// line alone: "N passed, N failed, N skipped". The numbers are the runners' own; a check without tests (types, lint, build),
// or a runner that dies without a report, adds one to `failed` when it fails and nothing when it passes.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const reports = ".cache/test";
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const totals = { passed: 0, failed: 0, skipped: 0 };

function run(title, command, env = {}) {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, {
    shell: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  return status === 0;
}

function check(title, command) {
  const passed = run(title, command);
  if (!passed) {
    console.log(`── ${title}: failed`);
    totals.failed += 1;
  }
  return passed;
}

/** Adds a runner's counts; a run that failed without a failed test to show for it still counts as one. */
function add(title, passed, counts) {
  const failed = passed ? (counts?.failed ?? 1) : Math.max(counts?.failed ?? 0, 1);
  if (counts === undefined) console.log(`── ${title}: wrote no report`);
  totals.passed += counts?.passed ?? 0;
  totals.failed += failed;
  totals.skipped += counts?.skipped ?? 0;
}

function readReport(file, count) {
  return existsSync(file) ? count(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** Vitest counts tests; a file that couldn't be loaded has none and is counted here. */
function countVitest(report) {
  const unloadable = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((result) => result.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function countPlaywright({ stats, errors }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + Math.min(errors.length, 1),
    skipped: stats.skipped,
  };
}

function newestTime(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestTime(join(path, name))));
}

const built = [".next/BUILD_ID", ...(existsSync("server/cli/main.ts") ? ["dist/cli/main.js"] : [])];
const sources = [
  "app",
  "components",
  "server",
  "drizzle",
  "proxy.ts",
  "next.config.ts",
  "package-lock.json",
  "tsconfig.json",
];

function buildIsCurrent() {
  const oldestOutput = Math.min(...built.map((path) => (existsSync(path) ? newestTime(path) : 0)));
  return oldestOutput > Math.max(...sources.map(newestTime));
}

function hasJourneys() {
  return existsSync("e2e") && readdirSync("e2e", { recursive: true }).some((name) => name.endsWith(".spec.ts"));
}

check("types", "npm run --silent typecheck");
check("format and lint", `npx biome ci --colors=${process.stdout.isTTY ? "force" : "off"} .`);
check("layers", "node scripts/check-layers.mjs");
check("unused code", "npx knip --no-progress");

const unit = join(reports, "vitest.json");
const unitPassed = run("vitest", `npx vitest run --reporter=default --reporter=json --outputFile.json=${unit}`);
add("vitest", unitPassed, readReport(unit, countVitest));

if (hasJourneys()) {
  const isReady = buildIsCurrent() || check("build", "npm run --silent build");
  if (isReady) {
    const journeys = join(reports, "playwright.json");
    const passed = run("playwright", "npx playwright test --reporter=list,json", {
      PLAYWRIGHT_JSON_OUTPUT_FILE: journeys,
    });
    add("playwright", passed, readReport(journeys, countPlaywright));
  }
} else {
  console.log("\n── playwright: no journey in e2e/ yet");
}

const line = `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`;
writeFileSync(join(reports, "totals.txt"), `${line}\n`);
console.log(`\n${line}`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
