import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import { type Ended, runWeir, startWeir } from "../cli/run-weir.ts";
import { createDatabase } from "./database.ts";

const root = mkdtempSync(join(tmpdir(), "weir-command-line-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const scratch = await createDatabase("scratch");

// A virtual name belongs to one project, and all of these have the same names: a database each.
const databases = {
  first: await createDatabase("first"),
  review: await createDatabase("review"),
  pure: await createDatabase("pure"),
  blocked: await createDatabase("blocked"),
  faults: await createDatabase("faults"),
  failing: await createDatabase("failing"),
  interrupted: await createDatabase("interrupted"),
  terminated: await createDatabase("terminated"),
};

interface Checkout {
  readonly weir: (...words: readonly string[]) => Promise<Ended>;
  readonly start: (...words: readonly string[]) => ReturnType<typeof startWeir>;
  readonly write: (path: string, text: string) => void;
  readonly edit: (path: string, from: string, to: string) => void;
  /** Runs SQL as a superuser of the project's database. */
  readonly query: (sql: string) => Promise<readonly { readonly [column: string]: unknown }[]>;
}

/** A project made by `weir init`, in a folder and with a database of its own. */
async function checkout(name: keyof typeof databases): Promise<Checkout> {
  const database = databases[name];
  const cwd = join(root, name);
  const environment = {
    PGHOST: database.host,
    PGPORT: String(database.port),
    PGUSER: database.user,
    PGPASSWORD: database.password,
    PGDATABASE: database.database,
    // So that no second server has to be started for the shapes.
    WEIR__SHADOW__URL: scratch.url,
  };
  expect((await runWeir(["init", cwd])).exit).toBe(0);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  return {
    weir: (...words) => runWeir(words, { cwd, environment }),
    start: (...words) => startWeir(words, { cwd, environment }),
    write,
    edit: (path, from, to) => {
      const text = readFileSync(join(cwd, path), "utf8");
      expect(text).toContain(from);
      write(path, text.replace(from, to));
    },
    query: async (sql) => {
      const client = new pg.Client(database);
      await client.connect();
      try {
        return (await client.query<{ [column: string]: unknown }>(sql)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

const parseView = (ended: Ended) => JSON.parse(ended.stdout) as PlanView & { run?: object; line?: string };

test("from nothing to prod: planned, shown, applied, and nothing left to do", async () => {
  const { weir, query } = await checkout("first");

  const planned = await weir("plan", "--no-prompts", "--detailed-exitcode");
  expect(planned.exit).toBe(2);
  expect(planned.stdout).toMatch(/^Plan: 2 to create, 0 to drop, 0 lost\./);
  expect(planned.stdout).toContain("+ create          river.daily_levels");
  expect(planned.stderr).toContain("Weir keeps plans, approvals and versions in a schema of its own in the warehouse");
  expect(await query("SELECT FROM pg_namespace WHERE nspname IN ('river', 'sqlmesh__river')")).toEqual([]);

  const applied = await weir("plan", "--no-prompts", "--auto-apply");
  expect(applied.exit).toBe(0);
  expect(applied.stdout).toContain("Applied: 2 created, 0 dropped, 0 lost in ");
  expect(await query("SELECT FROM river.daily_levels")).toHaveLength(3);

  const again = await weir("plan", "--no-prompts", "--auto-apply", "--detailed-exitcode");
  expect(again).toMatchObject({ exit: 0, stdout: "No changes. prod matches the project.\n" });

  expect(await weir("environments")).toMatchObject({ exit: 0, stdout: expect.stringMatching(/first +prod +2 +1 /) });
  const inspected = await weir("inspect", "PROD", "--json");
  expect(inspected.exit).toBe(0);
  expect(JSON.parse(inspected.stdout)).toMatchObject({ environment: { name: "prod", promotion: 1 } });
  const rendered = await weir("render", "river.daily_levels");
  expect(rendered.stdout).toMatch(/FROM "sqlmesh__river"\."river__measurements__\w+"/);
  expect((await weir("render", "daily_level")).stderr).toContain("Did you mean river.daily_levels?");
});

test("a review from the terminal: approval holds for the digest, and nothing is applied without it", async () => {
  const { weir, edit } = await checkout("review");
  const view = parseView(await weir("plan", "--submit", "--json"));
  expect(view).toMatchObject({ format: 1, result: "applicable", state: "open", environment: "prod" });

  expect((await weir("apply", view.id)).exit).toBe(3);
  expect((await weir("approve", view.id, "--digest", "0123456789abcdef")).exit).toBe(3);
  expect((await weir("approve", view.id, "--digest", view.digest)).exit).toBe(0);
  expect((await weir("approve", view.id, "--digest", view.digest)).exit).toBe(3);
  const shown = await weir("show", view.id.slice(0, 6));
  expect(shown).toMatchObject({ exit: 0, stdout: expect.stringContaining("approved by") });
  expect((await weir("apply", view.id)).exit).toBe(0);
  expect(parseView(await weir("show", view.id, "--json"))).toMatchObject({ state: "applied", digest: view.digest });
  const raw = JSON.parse((await weir("show", view.id, "--raw")).stdout) as object;
  expect(Object.keys(raw)).toEqual(["format", "effects", "context"]);

  edit("models/daily_levels.sql", "  MAX(level_cm) AS", "  MIN(level_cm) AS lowest_level_cm,\n  MAX(level_cm) AS");
  const next = parseView(await weir("plan", "--submit", "--json"));
  expect((await weir("reject", next.id, "--reason", "not in the week of the audit")).exit).toBe(0);
  expect((await weir("apply", next.id)).exit).toBe(3);
  expect((await weir("show", next.id)).stdout).toContain("rejected by");
});

test("--json: one value on stdout whatever happens, JSON lines on stderr", async () => {
  const { weir } = await checkout("pure");
  const ended = await weir("plan", "--auto-apply", "--json");
  expect(ended.exit).toBe(0);
  expect(parseView(ended)).toMatchObject({ state: "applied", line: expect.stringMatching(/^Applied: 2 created/) });
  const events = ended.stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(
    expect.arrayContaining(["planning_started", "planned", "action_started", "action_done", "run_ended"]),
  );
  const refused = await weir("apply", parseView(ended).id, "--json");
  expect(refused.exit).toBe(3);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { exit: 3, problems: [{ code: "plan_not_open" }] } });
});

test("a plan that would take an outside object's column is 3, with or without --auto-apply, and touches nothing", async () => {
  const { weir, edit, query } = await checkout("blocked");
  expect((await weir("plan", "--no-prompts", "--auto-apply")).exit).toBe(0);
  await query("CREATE SCHEMA bi; CREATE VIEW bi.peaks AS SELECT highest_level_cm FROM river.daily_levels");
  edit("models/daily_levels.sql", ",\n  MAX(level_cm) AS highest_level_cm", "");
  for (const words of [["--no-prompts"], ["--auto-apply", "--no-prompts"], ["--detailed-exitcode", "--json"]]) {
    const ended = await weir("plan", ...words);
    expect(ended.exit).toBe(3);
    expect(ended.stdout).toContain("peaks");
    expect(ended.stdout).toContain(databases.blocked.user);
    expect(ended.stdout).toContain("highest_level_cm");
  }
  expect(await query("SELECT FROM bi.peaks")).toHaveLength(3);
});

describe("exit codes of what can go wrong", () => {
  test("4 lists every fault of the project with its place", async () => {
    const { weir, write } = await checkout("faults");
    write("models/a.sql", "MODEL (name s.a, kind VIEW);\nSELEC 1\n");
    write("models/b.sql", "MODEL (name s.b, kind NONSENSE);\nSELECT 1 AS id\n");
    const { exit, stdout, stderr } = await weir("plan", "--no-prompts");
    expect({ exit, stdout }).toEqual({ exit: 4, stdout: "" });
    expect(stderr).toContain("models/a.sql:2:1");
    expect(stderr).toContain("models/b.sql:1:");
    expect(stderr).toContain("2 problems.");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("5 names host, port, database and user of a database that can't be reached, and no password", async () => {
    const state = "postgresql://somebody:p%40ss%2Fw@127.0.0.1:1/none";
    const { exit, stderr } = await runWeir(["environments", "--state", state]);
    expect(exit).toBe(5);
    expect(stderr).toContain("127.0.0.1:1/none as somebody");
    expect(stderr).not.toMatch(/p%40ss|p@ss/);
  });

  test("1 when an action fails, and prod is as it was", async () => {
    const { weir, edit } = await checkout("failing");
    edit("models/daily_levels.sql", "MAX(level_cm)", "MAX(level_cm) / (COUNT(*) - COUNT(*))");
    const { exit, stderr } = await weir("plan", "--no-prompts", "--auto-apply");
    expect(exit).toBe(1);
    expect(stderr).toContain("22012");
    expect(stderr).toMatch(/not done {2}create view river\.daily_levels/);
  });

  test("64 for a plan or an environment that isn't there", async () => {
    const state = databases.first.url;
    expect((await runWeir(["show", "nonesuch", "--state", state])).exit).toBe(64);
    expect((await runWeir(["approve", "nonesuch", "--digest", "12345678", "--state", state])).exit).toBe(64);
  });
});

describe.each([
  ["SIGINT", 130, "interrupted"],
  ["SIGTERM", 143, "terminated"],
] as const)("%s while a table is filled", (signal, code, name) => {
  test("cancels the query, says what is done and what isn't, and leaves the environment free", async () => {
    const { start, weir, edit, query } = await checkout(name);
    const sleeping = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND state = 'active' AND query LIKE '%pg_sleep(60)%'`;
    edit("models/daily_levels.sql", "FROM river.measurements", "FROM river.measurements, pg_sleep(60)");
    const running = start("plan", "--no-prompts", "--auto-apply");
    await running.says("analyze table");
    await expect.poll(() => query(sleeping), { timeout: 5_000, interval: 25 }).toHaveLength(1);
    running.process.kill(signal);
    const { exit, stderr } = await running.ended;
    expect(exit).toBe(code);
    expect(stderr).toMatch(
      /\d+ of \d+ actions are done\. It ended in stage fill\. prod serves what it served before\./,
    );
    expect(stderr).toMatch(/ {2}done {6}load seed into/);
    expect(stderr).toMatch(/ {2}not done {2}fill table/);
    expect(stderr).toMatch(/Next: weir apply \w+ --resume/);
    expect(await query(sleeping)).toEqual([]);
    edit("models/daily_levels.sql", ", pg_sleep(60)", "");
    expect((await weir("plan", "--no-prompts", "--auto-apply")).exit).toBe(0);
  });
});
