import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "weir-migrations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("generating migrations again changes nothing: they and the tables in code say the same", async () => {
  const out = join(folder, "drizzle");
  cpSync(join(root, "drizzle"), out, { recursive: true });
  const kit = fileURLToPath(import.meta.resolve("drizzle-kit")).replace(/index\.[a-z]+$/, "bin.cjs");
  // drizzle-kit 0.31 puts `./` before `out`, so that only a relative path leads out of the project.
  const args = ["--out", relative(root, out), "--schema", "server/state/tables.ts", "--casing", "snake_case"];
  await promisify(execFile)(process.execPath, [kit, "generate", "--dialect", "postgresql", ...args], { cwd: root });
  expect(texts(out)).toEqual(texts(join(root, "drizzle")));
});

function texts(of: string): Readonly<Record<string, string>> {
  const files = readdirSync(of, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const paths = files.map((each) => relative(of, join(each.parentPath, each.name))).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(of, path), "utf8")]));
}
