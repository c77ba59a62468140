import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const built = [".next/BUILD_ID", "dist/cli/main.js", "dist/serve.js", "dist/jobs/worker.js"];
const sources = ["app", "components", "server", "drizzle", "proxy.ts", "next.config.ts", "package-lock.json"];

/** Builds what `weir serve` runs, unless the last build is newer than every source. */
export function ensureBuilt(root: string): void {
  if (isCurrent(root)) return;
  process.stdout.write("Building the web app and the command line, once …\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["run", "--silent", "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error("The build failed; what it said stands above. Try: npm run build");
}

function isCurrent(root: string): boolean {
  const outputs = built.map((path) => join(root, path));
  if (!outputs.every((path) => existsSync(path))) return false;
  const oldest = Math.min(...outputs.map((path) => statSync(path).mtimeMs));
  return Math.max(...sources.map((path) => newest(join(root, path)))) < oldest;
}

function newest(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
