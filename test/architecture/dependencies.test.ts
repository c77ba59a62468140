import { describe, expect, test } from "vitest";
import { projectFiles } from "./source-files.ts";

// A dependency is a guest: docs/decisions/dependencies.md says of each what it is for, why this one, who keeps it, its size.

function read(path: string): string {
  const file = projectFiles().find((each) => each.path === path);
  if (file === undefined) throw new Error(`${path} is missing`);
  return file.text;
}

const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string> | undefined>;
const versions = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };
const rows = read("docs/decisions/dependencies.md")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter((cells) => cells[1]?.startsWith("`"));
const described = new Map(rows.map((cells) => [cells[1]?.replaceAll("`", "") ?? "", cells.slice(2, -1)]));

/** The row of a package; `@scope/*` speaks for a family of platform packages. */
function rowOf(name: string): readonly string[] | undefined {
  return described.get(name) ?? described.get(name.replace(/\/.*$/, "/*"));
}

describe("dependencies", () => {
  test.each(Object.keys(versions))("%s has its line", (name) => {
    expect(rowOf(name)).toHaveLength(4);
    for (const cell of rowOf(name) ?? []) expect(cell).not.toBe("");
  });

  test("no line speaks of a package that is gone", () => {
    const present = new Set(Object.keys(versions).flatMap((name) => [name, name.replace(/\/.*$/, "/*")]));
    expect([...described.keys()].filter((name) => !present.has(name))).toEqual([]);
  });

  test.each(Object.entries(versions))("%s is pinned (%s)", (_name, version) => {
    expect(version).toMatch(/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  test("the lock file names no registry, or the public default alone", () => {
    const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
    const hosts = Object.values(lock.packages).flatMap(({ resolved }) => (resolved ? [new URL(resolved).host] : []));
    expect([...new Set(hosts)].filter((host) => host !== ["registry", "npmjs", "org"].join("."))).toEqual([]);
  });
});
