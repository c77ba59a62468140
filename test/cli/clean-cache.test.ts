import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { problem } from "../../server/core/base/problem.ts";
import { failed, ok } from "../../server/core/base/result.ts";
import { cleanCache } from "../../server/operations/clean-cache.ts";
import type { ProjectSettings } from "../../server/ports/project-source.ts";
import { defaultCacheFolder, removeCache } from "../../server/project/clean-cache.ts";

let folder: string;
let project: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-clean-"));
  project = join(folder, "project");
  cache = defaultCacheFolder(project);
  mkdirSync(join(project, "models"), { recursive: true });
  writeFileSync(join(project, "config.yaml"), "gateways: {}\n");
  writeFileSync(join(project, "models", "a.sql"), "SELECT 1\n");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fill(path: string): void {
  mkdirSync(join(path, "ab"), { recursive: true });
  writeFileSync(join(path, "ab", "entry"), "12345");
  writeFileSync(join(path, "größe mit Leerzeichen"), "1");
  symlinkSync(join(folder, "nowhere"), join(path, "to-nowhere"));
}

describe("removing a cache folder", () => {
  test("takes everything in it, and the folder, and nothing beside it", async () => {
    fill(cache);
    writeFileSync(join(project, ".cache", "of-another-tool"), "kept");
    expect(await removeCache({ project, cacheFolder: cache })).toMatchObject({
      ok: true,
      value: { found: true, files: 3 },
    });
    expect(existsSync(cache)).toBe(false);
    expect(readdirSync(join(project, ".cache"))).toEqual(["of-another-tool"]);
    expect(readdirSync(project).sort()).toEqual([".cache", "config.yaml", "models"]);
  });

  test("a missing folder, and a missing project, are nothing to remove", async () => {
    const nothing = { ok: true, value: { found: false, files: 0, bytes: 0 } };
    expect(await removeCache({ project, cacheFolder: cache })).toEqual(nothing);
    const gone = join(folder, "gone");
    expect(await removeCache({ project: gone, cacheFolder: defaultCacheFolder(gone) })).toEqual(nothing);
  });

  test("a link inside is removed as a link: what it points to stays", async () => {
    mkdirSync(join(folder, "precious"));
    writeFileSync(join(folder, "precious", "file"), "kept");
    mkdirSync(cache, { recursive: true });
    symlinkSync(join(folder, "precious"), join(cache, "link"));
    expect(await removeCache({ project, cacheFolder: cache })).toMatchObject({ ok: true, value: { files: 1 } });
    expect(readFileSync(join(folder, "precious", "file"), "utf8")).toBe("kept");
  });

  test("a cache that is a link to a volume is emptied, and link and volume stay", async () => {
    const volume = join(folder, "volume");
    fill(volume);
    mkdirSync(join(project, ".cache"));
    symlinkSync(volume, cache);
    expect(await removeCache({ project, cacheFolder: cache })).toMatchObject({ ok: true, value: { files: 3 } });
    expect(readdirSync(volume)).toEqual([]);
    expect(readdirSync(cache)).toEqual([]);
  });

  test.each([
    ["the project itself", () => project],
    ["a folder above the project", () => folder],
    ["the root", () => "/"],
    ["a folder that holds models", () => join(folder, "other")],
  ])("refuses %s, whatever the configuration says", async (_name, cacheFolder) => {
    mkdirSync(join(folder, "other", "models"), { recursive: true });
    const outcome = await removeCache({ project, cacheFolder: cacheFolder() });
    expect(outcome).toMatchObject({ ok: false, problems: [{ code: "cache_not_ours" }] });
    expect(existsSync(join(project, "models", "a.sql"))).toBe(true);
    expect(existsSync(join(folder, "other", "models"))).toBe(true);
  });

  test("a file in the folder's place is not ours to remove", async () => {
    mkdirSync(join(project, ".cache"));
    writeFileSync(cache, "somebody's file");
    expect(await removeCache({ project, cacheFolder: cache })).toMatchObject({ ok: false });
    expect(readFileSync(cache, "utf8")).toBe("somebody's file");
  });

  test("two processes that clean at once both end well", async () => {
    fill(cache);
    for (let each = 0; each < 200; each += 1) writeFileSync(join(cache, `entry-${each}`), "x");
    const outcomes = await Promise.all([1, 2, 3].map(() => removeCache({ project, cacheFolder: cache })));
    expect(outcomes.map((each) => each.ok)).toEqual([true, true, true]);
    expect(existsSync(cache)).toBe(false);
  });
});

describe("cleaning a project", () => {
  const files = { removeCache, defaultCacheFolder, createProject: async () => failed() };
  const place = () => ({ folder: project, gateway: null, dotenv: null });

  test("with a broken configuration cleans the default folder, and says why", async () => {
    fill(cache);
    const fault = problem("config_invalid", { reason: "bad indentation" }, { path: "config.yaml", line: 3, column: 1 });
    const cleaned = await cleanCache({ files, projects: { readSettings: async () => failed(fault) } }, place());
    expect(cleaned).toMatchObject({ cacheFolder: cache, found: true, files: 3, configFaults: [fault], problem: null });
    expect(existsSync(cache)).toBe(false);
  });

  test("takes the configured folder and leaves the default one", async () => {
    const configured = join(folder, "elsewhere");
    fill(configured);
    fill(cache);
    const settings = { cacheFolder: configured } as ProjectSettings;
    const cleaned = await cleanCache({ files, projects: { readSettings: async () => ok(settings) } }, place());
    expect(cleaned).toMatchObject({ cacheFolder: configured, found: true, files: 3, problem: null });
    expect(existsSync(configured)).toBe(false);
    expect(existsSync(cache)).toBe(true);
  });
});
