import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import { afterAll, test as base, expect, inject } from "vitest";
import { type OpenServices, openServices } from "../../server/compose.ts";
import { AppError } from "../../server/core/base/app-error.ts";
import { problemLine } from "../../server/core/base/problem-sentence.ts";
import type { Environment } from "../../server/core/environment/environment.ts";
import type { Plan } from "../../server/core/plan/plan.ts";
import type { PlanView } from "../../server/core/review/plan-view.ts";
import type { RunEvent } from "../../server/core/stage/run.ts";
import { applyPlan } from "../../server/operations/apply-plan.ts";
import { decidePlan } from "../../server/operations/decide-plan.ts";
import { planEnvironment } from "../../server/operations/plan-environment.ts";
import type { ProjectPlace } from "../../server/operations/services.ts";
import { asAdmin, caseServer, createDatabase, dropDatabase } from "./case-server.ts";
import { openListeningProxy, type Sent } from "./listening-proxy.ts";
import { expectCarriedOut, expectTimeoutsInPlan } from "./sent-log.ts";
import { servedText } from "./served-text.ts";

/** Files of a project by path; null removes one. */
export type Files = { readonly [path: string]: string | Uint8Array | null };

/** `model("shop.a", "kind FULL", "SELECT 1 AS id")` in `models/a.sql`; the file is named by the name's last part. */
export function model(name: string, header: string, query: string): Files {
  return { [`models/${name.split(".").at(-1)}.sql`]: `MODEL (name ${name}, ${header});\n\n${query}\n` };
}

export interface WorldOptions {
  /** A folder in `projects/` that the project begins as. Default: the one configuration that they all have. */
  readonly project?: string;
  readonly files?: Files;
  /** The name in `project:`. */
  readonly name?: string;
  /** Who plans and applies; default: a superuser. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Where state is kept: a database of its own (default), inside the warehouse as nobody said anything, or another world's. */
  readonly state?: "apart" | "warehouse" | World;
  /** Share another world's warehouse. */
  readonly warehouse?: World;
}

export interface PlanWish {
  readonly environment?: string;
  readonly allowDestructive?: readonly string[];
  readonly accept?: readonly string[];
  readonly replaceProject?: boolean;
  readonly author?: string;
}

export interface Planned {
  readonly plan: Plan;
  readonly view: PlanView;
}

export interface Expected {
  /** `code object object`, in the plan's order; names of versions as `<model>`. Every one of them and no other. */
  readonly hazards?: readonly string[];
  /** Where what is served differs from a first build on purpose: parts of lines to leave out of the comparison. */
  readonly unlikeScratch?: readonly string[];
  /** Called with everything the run says. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface World {
  readonly place: ProjectPlace;
  readonly services: OpenServices;
  readonly database: string;
  readonly stateDatabase: string;
  readonly client: pg.Client;
  readonly variables: Readonly<Record<string, string>>;
  readonly write: (files: Files) => void;
  readonly read: (path: string) => string;
  /** SQL by hand, as a superuser; what the project reads from outside goes through `source`, so that a first build has it too. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  readonly source: (text: string) => Promise<void>;
  /** A role of the cluster that is gone after the test. @returns its whole name */
  readonly role: (name: string, attributes?: string) => Promise<string>;
  readonly plan: (wish?: PlanWish) => Promise<Planned>;
  /** Approves and carries out, without any further check. */
  readonly carryOut: (planned: Planned, onEvent?: (event: RunEvent) => void) => Promise<string>;
  /** Plans, approves, carries out and checks all that must be true of every applied plan. */
  readonly apply: (expected?: Expected, wish?: PlanWish) => Promise<Planned>;
  readonly environment: (name?: string, project?: string) => Promise<Environment>;
  /** Where a model's rows are in an environment: `schema.name`. */
  readonly physical: (model: string, environment?: string) => Promise<string>;
  /** Everything that was said to the warehouse so far. */
  readonly sent: () => readonly Sent[];
  readonly close: () => Promise<void>;
}

/** `test` with worlds: `world` is one with defaults, `open` makes others. All of them are gone after the test. */
export const test = base.extend<{ open: (options?: WorldOptions) => Promise<World>; world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest wants a destructured first parameter
  open: async ({}, use) => {
    const opened: World[] = [];
    await use(async (options = {}) => {
      const world = await openWorld(options);
      opened.push(world);
      return world;
    });
    for (const world of opened.reverse()) await world.close();
  },
  world: async ({ open }, use) => {
    await use(await open());
  },
});

/** The problems of work that has to fail, a line each. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.problems.map(problemLine).join("\n");
    throw error;
  }
  throw new Error("it should have been refused");
}

/** `CODE: sentence`, with the versions of `world` as `<model>`. */
export function blockers({ view }: Planned): readonly string[] {
  return view.blockers.map((blocker) => `${blocker.code}: ${blocker.sentence}`);
}

/** State may live in the warehouse's database; what is said to it there is no business of the warehouse's. */
const STATE_APPLICATION = "weir state";

export async function openWorld(options: WorldOptions): Promise<World> {
  const { name = "" } = options;
  const target = caseServer();
  const own = inject("cluster");
  const database = options.warehouse?.database ?? (await createDatabase(target, "case"));
  const apart = options.state === undefined || options.state === "apart";
  const stateDatabase =
    options.state === "warehouse"
      ? database
      : apart
        ? await createDatabase(own, "case_state")
        : (options.state as World).stateDatabase;
  const folder = mkdtempSync(join(tmpdir(), "weir-case-"));
  cpSync(join(import.meta.dirname, "projects", options.project ?? "view-cascade"), folder, { recursive: true });
  if (options.project === undefined) rmSync(join(folder, "models"), { recursive: true });
  const write = (files: Files) => writeFiles(folder, files);
  write(options.files ?? {});
  const config = readFileSync(join(folder, "config.yaml"), "utf8");
  if (name !== "" && !config.startsWith("project:")) write({ "config.yaml": `project: ${name}\n${config}` });

  const proxy = await openListeningProxy(target);
  const login = options.login ?? target;
  const variables: Record<string, string> = {
    PGPORT: String(proxy.port),
    PGUSER: login.user,
    PGPASSWORD: login.password,
    PGDATABASE: database,
    // The run's own server also stands in for the embedded one, which finds out the columns of queries.
    WEIR_HOME: inject("clusterHome"),
    ...(options.state === "warehouse"
      ? {}
      : { WEIR_STATE_URL: `postgresql://${own.user}:${own.password}@${own.host}:${own.port}/${stateDatabase}` }),
  };
  const place: ProjectPlace = { folder, gateway: null, dotenv: null };
  const services = await openServices({ place, stateUrl: null, environment: variables });
  const client = new pg.Client({ ...target, database });
  client.on("error", () => undefined);
  await client.connect();
  const sent = () => proxy.sent().filter(({ application }) => application !== STATE_APPLICATION);
  const sources: string[] = [];
  const roles: string[] = [];

  const world: World = {
    place,
    services,
    database,
    stateDatabase,
    client,
    variables,
    write,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    sql: async (text, values = []) => (await client.query(text, [...values])).rows,
    source: async (text) => {
      sources.push(text);
      await client.query(text);
    },
    role: async (role, attributes = "LOGIN PASSWORD 'secret'") => {
      const whole = `${role}_${randomBytes(4).toString("hex")}`;
      await client.query(`CREATE ROLE ${pg.escapeIdentifier(whole)} ${attributes}`);
      roles.push(whole);
      return whole;
    },
    plan: async (wish = {}) => {
      const { plan, view } = await planEnvironment(services, {
        place,
        environment: wish.environment ?? null,
        options: {
          allowDestructive: wish.allowDestructive ?? [],
          accept: wish.accept ?? [],
          replaceProject: wish.replaceProject ?? false,
        },
        author: wish.author ?? "ann",
        save: true,
      });
      return { plan, view };
    },
    carryOut: async ({ plan }, onEvent = () => undefined) => {
      await decidePlan(services, {
        planId: plan.id,
        digest: plan.digest,
        verdict: "approve",
        reason: null,
        by: "ben",
        how: "review",
      });
      const { line } = await applyPlan(services, {
        planId: plan.id,
        place,
        by: "ben",
        resume: false,
        onEvent,
        signal: { aborted: false, onAbort: () => undefined },
        promotionPatienceMs: 10_000,
      });
      return line;
    },
    apply: async (expected = {}, wish = {}) => {
      const planned = await world.plan(wish);
      expect({ blockers: blockers(planned), result: planned.view.result }).toEqual({
        blockers: [],
        result: "applicable",
      });
      await expectHazards(world, planned, expected.hazards ?? []);
      expectTimeoutsInPlan(planned.plan);
      const before = sent().length;
      await world.carryOut(planned, expected.onEvent);
      expectCarriedOut(planned.plan, sent().slice(before));
      expect(sent().filter(({ sql }) => /\bcascade\b/i.test(sql))).toEqual([]);
      const again = await world.plan(wish);
      expect({ result: again.view.result, actions: again.view.actions }).toEqual({ result: "empty", actions: [] });
      // A first plan of an empty database is what others are compared with; one without actions leaves the catalog alone.
      const { target, actions } = planned.plan.effects;
      const isFirst = target.promotion === 0 && target.environment === "prod";
      if (!isFirst && actions.length > 0) {
        await expectLikeScratch(world, sources, name, wish, expected.unlikeScratch ?? []);
      }
      return planned;
    },
    environment: async (environment = "prod", project = name) => {
      const found = (await services.state.listEnvironments(project)).find((each) => each.name === environment);
      if (found === undefined) throw new Error(`no environment ${environment}`);
      return found;
    },
    physical: async (model, environment = "prod") => {
      const promoted = (await world.environment(environment)).models.find((each) => each.model === model);
      if (promoted?.relation == null) throw new Error(`${model} has no relation in ${environment}`);
      return `${pg.escapeIdentifier(promoted.relation.schema)}.${pg.escapeIdentifier(promoted.relation.name)}`;
    },
    sent,
    close: async () => {
      await services.close();
      await client.end();
      await proxy.close();
      if (options.warehouse === undefined) await dropDatabase(target, database);
      if (apart) await dropDatabase(own, stateDatabase);
      for (const role of roles) await asAdmin(target, `DROP ROLE ${pg.escapeIdentifier(role)}`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, path);
    if (text === null) {
      rmSync(full);
      continue;
    }
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}

async function expectHazards(world: World, { view, plan }: Planned, expected: readonly string[]): Promise<void> {
  const { project } = plan.effects.target;
  const versions = await world.services.state.readVersions(
    project,
    plan.effects.changes.map((change) => change.model),
  );
  const names = new Map([...versions, ...plan.effects.versions].map((each) => [each.relation.name, `<${each.model}>`]));
  const text = (object: PlanView["hazards"][number]["objects"][number]["object"]) =>
    names.get(object.name) ?? (object.schema === "" ? object.name : `${object.schema}.${object.name}`);
  const found = view.hazards.map(({ code, objects }) => [code, ...objects.map(({ object }) => text(object))].join(" "));
  expect(found).toEqual(expected);
}

/** An environment that grew step by step serves what a first plan of the same files builds in an empty database. */
async function expectLikeScratch(
  world: World,
  sources: readonly string[],
  name: string,
  wish: PlanWish,
  unlike: readonly string[],
): Promise<void> {
  const { environment } = (await world.plan(wish)).view;
  const left = (text: string) => text.split("\n").filter((line) => !unlike.some((each) => line.includes(each)));
  const ours = await servedText(world.client, await world.environment(environment));
  expect(left(ours)).toEqual(left(await scratchText(filesIn(world.place.folder), sources, name, wish, environment)));
}

const scratches = new Map<string, string>();
let scratch: World | null = null;
afterAll(async () => {
  await scratch?.close();
  scratch = null;
});

async function scratchText(
  files: Files,
  sources: readonly string[],
  name: string,
  wish: PlanWish,
  environment: string,
): Promise<string> {
  const key = JSON.stringify([files, sources, wish]);
  const known = scratches.get(key);
  if (known !== undefined) return known;
  scratch ??= await openWorld({});
  await emptyOut(scratch);
  scratch.write(files);
  for (const source of sources) await scratch.source(source);
  await scratch.carryOut(await scratch.plan(wish));
  const text = await servedText(scratch.client, await scratch.environment(environment, name));
  scratches.set(key, text);
  return text;
}

/** As good as a new database and quicker: the same world again, without anything in it. */
async function emptyOut(world: World): Promise<void> {
  for (const file of Object.keys(filesIn(world.place.folder))) world.write({ [file]: null });
  await dropSchemas(world.client, "n.nspname <> 'public'");
  const state = new pg.Client({ ...inject("cluster"), database: world.stateDatabase });
  await state.connect();
  try {
    await state.query(`DO $$ DECLARE t text; BEGIN
      SELECT string_agg(c.oid::regclass::text, ', ') INTO t FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'weir' AND c.relkind = 'r' AND c.relname NOT IN ('state_format', '__drizzle_migrations', 'migrations');
      EXECUTE 'TRUNCATE ' || t; END $$`);
  } finally {
    await state.end();
  }
}

function dropSchemas(client: pg.Client, which: string): Promise<unknown> {
  return client.query(`DO $$ DECLARE s text; BEGIN
    FOR s IN SELECT quote_ident(n.nspname) FROM pg_namespace n
             WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND ${which}
    LOOP EXECUTE 'DROP SCHEMA ' || s || ' CASCADE'; END LOOP; END $$`);
}

function filesIn(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [relative(folder, path), readFileSync(path, "utf8")];
    }),
  );
}
