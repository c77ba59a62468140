import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { cleanCache } from "../../server/operations/clean-cache.ts";
import { removeCache } from "../../server/project/clean-cache.ts";
import { test, type World } from "./world.ts";

const ugly: readonly (readonly [what: string, make: (cache: string) => void])[] = [
  ["no folder at all", (cache) => rmSync(cache, { recursive: true, force: true })],
  [
    "an empty, a truncated and a garbage entry",
    (cache) => {
      for (const [name, content] of [
        ["empty", ""],
        ["cut", '{"form'],
        ["garbage", "\u0000\u0001\uFFFD"],
      ] as const) {
        writeFileSync(join(cache, name), content);
      }
    },
  ],
  ["entries of another version", (cache) => writeFileSync(join(cache, "entry.v999.json"), '{"format":999}')],
  ["a folder where an entry is", (cache) => mkdirSync(join(cache, "entry", "deeper"), { recursive: true })],
  ["a link to nowhere", (cache) => symlinkSync("/nowhere/at/all", join(cache, "link"))],
  [
    "an entry nobody may read",
    (cache) => {
      writeFileSync(join(cache, "secret"), "x");
      chmodSync(join(cache, "secret"), 0);
    },
  ],
  [
    "names of 255 bytes, of spaces and of other letters",
    (cache) => {
      for (const name of ["x".repeat(255), "a b\\c", "größe 和"]) writeFileSync(join(cache, name), "x");
    },
  ],
  ["a folder that may not be written", (cache) => chmodSync(cache, 0o555)],
  [
    "a file where the folder is",
    (cache) => {
      chmodSync(cache, 0o755);
      rmSync(cache, { recursive: true });
      writeFileSync(cache, "x");
    },
  ],
];

describe("stale-cache: nothing in a cache can stop the work", () => {
  test("a project loads, plans and applies whatever its cache folder holds; a deleted model stays deleted", async ({
    open,
  }) => {
    const world = await open({ project: "stale-cache" });
    const cache = cacheOf(world);
    await world.apply();
    for (const [what, make] of ugly) {
      if (what !== "no folder at all") mkdirSync(cache, { recursive: true });
      make(cache);
      expect((await world.plan()).view.result, what).toBe("empty");
    }
    world.write({ "models/gone.sql": null });
    const { view } = await world.apply({ hazards: ["view_dropped app.gone"] });
    expect(view.changes.map(({ model, mark }) => `${mark} ${model}`)).toEqual(["drop app.gone"]);
    expect(await world.sql("SELECT to_regclass('app.gone') AS gone, to_regclass('app.keep')::text AS keep")).toEqual([
      { gone: null, keep: "app.keep" },
    ]);
  });

  test("another process makes and removes the folder all the time while plans are made and one is carried out", async ({
    open,
  }) => {
    const world = await open({ project: "stale-cache" });
    const churn = spawn(process.execPath, ["-e", CHURN, cacheOf(world)], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await new Promise((resolve) => churn.stdout.once("data", resolve));
      await world.apply();
      const results = await Promise.all([world.plan(), world.plan(), world.plan()]);
      expect(results.map(({ view }) => view.result)).toEqual(["empty", "empty", "empty"]);
    } finally {
      churn.kill();
    }
  });

  test("clean works with a configuration that can't be read, without a folder, and for several projects, and says what it removed", async ({
    open,
  }) => {
    const worlds = [await open({ project: "stale-cache" }), await open({ project: "stale-cache" })];
    const files = { removeCache, createProject: () => Promise.reject(new Error("not asked for")) };
    for (const world of worlds) {
      mkdirSync(join(cacheOf(world), "a"), { recursive: true });
      writeFileSync(join(cacheOf(world), "a", "entry"), "12345");
      world.write({ "config.yaml": "gateways: {{ what is this\n  - : [" });
    }
    for (const world of worlds) {
      const clean = () => cleanCache({ files, projects: world.services.projects }, world.place);
      const { folder } = world.place;
      const about = { project: folder, cacheFolder: cacheOf(world), problem: null };
      expect(await clean()).toEqual({ ...about, found: true, files: 1, bytes: 5 });
      expect(existsSync(cacheOf(world))).toBe(false);
      expect(await clean()).toEqual({ ...about, found: false, files: 0, bytes: 0 });
      expect(existsSync(join(folder, "models", "keep.sql"))).toBe(true);
    }
  });
});

const CHURN = `
  const { mkdirSync, rmSync, writeFileSync } = require("node:fs");
  const folder = process.argv[1];
  process.stdout.write("ready");
  for (;;) {
    try {
      mkdirSync(folder + "/a", { recursive: true });
      for (let each = 0; each < 20; each += 1) writeFileSync(folder + "/a/" + each, "half an ent");
      rmSync(folder, { recursive: true, force: true });
    } catch {}
  }`;

function cacheOf(world: World): string {
  return join(world.place.folder, ".cache", "weir");
}
