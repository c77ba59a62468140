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
import { cleanCache } from "../../server/operations/clean-cache.ts";
import { findCacheFolder } from "../../server/project/cache.ts";
import { removeCache } from "../../server/project/clean-cache.ts";
import type { EnvironmentVariables } from "../../server/project/environment-overrides.ts";
import { createProject } from "../../server/project/init-project.ts";

let folder: string;
let project: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-clean-"));
  project = join(folder, "project");
  cache = join(project, ".cache", "weir");
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
    expect(await removeCache({ project: gone, cacheFolder: join(gone, ".cache", "weir") })).toEqual(nothing);
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
  const clean = (environment: EnvironmentVariables = {}) =>
    cleanCache(
      {
        files: { removeCache, createProject },
        projects: { findCacheFolder: (request) => findCacheFolder(request, environment) },
      },
      { folder: project, gateway: null, dotenv: null },
    );

  test("with a broken configuration cleans the default folder", async () => {
    writeFileSync(join(project, "config.yaml"), "gateways: [\n  {{ env_var('NOT_THERE') }}");
    fill(cache);
    expect(await clean()).toMatchObject({ cacheFolder: cache, found: true, files: 3, problem: null });
    expect(existsSync(cache)).toBe(false);
  });

  test("without a project, and without a cache, finds nothing to remove", async () => {
    expect(await clean()).toMatchObject({ found: false, files: 0, problem: null });
    rmSync(project, { recursive: true });
    expect(await clean()).toMatchObject({ found: false, files: 0, problem: null });
  });

  test("takes the configured folder and leaves the default one", async () => {
    const configured = join(folder, "elsewhere", "weir");
    fill(configured);
    fill(cache);
    expect(await clean({ WEIR_CACHE_DIR: join(folder, "elsewhere") })).toMatchObject({
      cacheFolder: configured,
      found: true,
      files: 3,
    });
    expect(existsSync(configured)).toBe(false);
    expect(existsSync(cache)).toBe(true);
  });
});
