import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import { unwrap } from "../../server/operations/unwrap.ts";
import { createProject } from "../../server/project/init-project.ts";
import { createProjectSource } from "../../server/project/load-project.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-init-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a new project has a configuration named after its folder, models and a seed", async () => {
  const target = join(folder, "River Levels");
  const outcome = await createProject(target);
  expect(outcome).toMatchObject({ ok: true, value: { folder: target, models: 2 } });
  expect(readFileSync(join(target, "config.yaml"), "utf8")).toContain("project: river_levels\n");
  expect(readdirSync(join(target, "models")).sort()).toEqual(["daily_levels.sql", "measurements.sql"]);
});

test("a new project loads as it stands, without a word of warning", async () => {
  await createProject(folder);
  const source = createProjectSource({ parser: await loadSqlParser(), environment: {} });
  const loaded = unwrap(await source.load({ folder, gateway: null, dotenv: null }));
  expect(loaded.project.models.map((model) => model.key)).toEqual(["river.daily_levels", "river.measurements"]);
  expect(loaded.project.warnings).toEqual([]);
});

test("the example shop loads without a word of warning", async () => {
  const source = createProjectSource({ parser: await loadSqlParser(), environment: {} });
  const loaded = unwrap(await source.load({ folder: "examples/shop", gateway: null, dotenv: null }));
  expect(loaded.project.models).toHaveLength(16);
  expect(loaded.project.warnings).toEqual([]);
});

test("nothing is overwritten, and nothing is half written beside what was there", async () => {
  writeFileSync(join(folder, "config.yaml"), "mine\n");
  const outcome = await createProject(folder);
  expect(outcome).toMatchObject({ ok: false, problems: [{ code: "files_in_the_way", files: ["config.yaml"] }] });
  expect(readdirSync(folder)).toEqual(["config.yaml"]);
  expect(readFileSync(join(folder, "config.yaml"), "utf8")).toBe("mine\n");
});

test("an ignore file that is there already is left as it is", async () => {
  writeFileSync(join(folder, ".gitignore"), "mine\n");
  mkdirSync(join(folder, "models"));
  expect(await createProject(folder)).toMatchObject({ ok: true });
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("mine\n");
});
