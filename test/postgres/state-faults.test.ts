import { createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "../../server/core/base/app-error.ts";
import { hashText } from "../../server/core/base/hash.ts";
import type { ConnectionSettings } from "../../server/ports/project-source.ts";
import type { StateStore } from "../../server/ports/state-store.ts";
import { openStateStore } from "../../server/state/postgres-state-store.ts";
import { problemCodes } from "../contract/problem-code.ts";
import { AT, decisionOn, planOf, promotedOf, snapshotOf, versionOf } from "../contract/state-values.ts";
import { applyWhole } from "../contract/state-world.ts";
import { asRole, createDatabase, createRole } from "./database.ts";

const database = await createDatabase("faults");
const role = await createRole(database);
const admin = new pg.Client(database);
const warnings: string[] = [];
let store: StateStore;

beforeAll(async () => {
  await admin.connect();
  const log = { warn: (event: string, fields?: object) => void warnings.push(`${event} ${JSON.stringify(fields)}`) };
  store = await openStateStore({ connection: database.url, log });
});
afterAll(async () => {
  await store.close();
  await admin.end();
});

const PASSWORD = "p@ss/w:rd%21";

function settings(changes: Partial<ConnectionSettings>): ConnectionSettings {
  const { host, port, user, database: name } = database;
  const connection = { type: "postgres" as const, host, port, user, password: PASSWORD, database: name, role: null };
  return { ...connection, sslmode: null, connectTimeoutSeconds: 5, applicationName: null, ...changes };
}

test("before it is set up a state says so", async () => {
  expect(await problemCodes(store.findPlan("x"))).toEqual(["state_not_set_up"]);
  await store.migrate();
  expect(await store.findPlan("x")).toBeNull();
});

test("a database that can't be reached is named by host, port, database and user, and never by password", async () => {
  const closed = await closedPort();
  const target = `127.0.0.1:${closed}/${database.database} as ${database.user}`;
  const url = `postgresql://${database.user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${closed}/${database.database}`;
  const attempts: (readonly [string | ConnectionSettings, string])[] = [
    [settings({ host: "127.0.0.1", port: closed }), target],
    [url, target],
    [settings({ host: "no-such-host.invalid" }), "no-such-host.invalid:"],
    [settings({ database: "no such database" }), "/no such database as "],
    [settings({ sslmode: "require" }), `as ${database.user}`],
    [`postgresql://u:${PASSWORD}@127.0.0.1:${closed}/db`, "given by URL"],
    [`mysql://u:${PASSWORD}@127.0.0.1/db`, "given by URL"],
    [`postgresql://u:${encodeURIComponent(PASSWORD)}@127.0.0.1:port/db`, "given by URL"],
  ];
  for (const [connection, expected] of attempts) {
    const error = await openStateStore({ connection }).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof AppError)) throw error;
    expect(error.problems).toMatchObject([{ code: "state_unreachable", target: expect.stringContaining(expected) }]);
    const said = `${error.message}\n${error.stack}\n${JSON.stringify(error)}`;
    for (const part of [PASSWORD, encodeURIComponent(PASSWORD), "w:rd", "p@ss", "p%40ss"])
      expect(said).not.toContain(part);
  }
});

test("a wrong password, a missing right and a role that can't be taken on are said plainly", async () => {
  const stranger = asRole(database, role);
  const refused = await openStateStore({ connection: stranger.url, schema: "theirs" });
  expect(await problemCodes(refused.migrate())).toEqual(["state_forbidden"]);
  await refused.close();
  expect(await problemCodes(openStateStore({ connection: stranger.url }))).toEqual(["state_forbidden"]);
  const own = { user: database.user, password: database.password };
  expect(await problemCodes(openStateStore({ connection: settings({ ...own, role: "no such role" }) }))).toEqual([
    "state_forbidden",
  ]);
});

test("a role of the connection owns what is set up", async () => {
  await admin.query(`GRANT CREATE ON DATABASE ${pg.escapeIdentifier(database.database)} TO ${role.name}`);
  const own = { user: database.user, password: database.password, role: role.name };
  const theirs = await openStateStore({ connection: settings(own), schema: "owned" });
  await theirs.migrate();
  await theirs.close();
  const { rows } = await admin.query("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'owned'");
  expect(rows).toEqual([{ tableowner: role.name }]);
});

test("a store outlives a restart of its connections, and says what happened to a write that was cut", async () => {
  await store.nextSubmission("cut", "prod");
  const { rows } = await admin.query(
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'weir state'",
  );
  expect(rows.length).toBeGreaterThan(0);
  // A connection of the pool whose end wasn't noticed yet fails once, by name, and is replaced.
  const codes = new Set<string>();
  for (let n = 0; n < 6; n += 1)
    for (const code of await problemCodes(store.nextSubmission("cut", "prod"))) codes.add(code);
  expect([...codes].filter((code) => code !== "state_unreachable")).toEqual([]);
  expect(await store.nextSubmission("cut", "prod")).toBeGreaterThan(1);
});

test("rows of another project that can't be read stop nobody who doesn't need them", async () => {
  const snapshot = snapshotOf("a");
  const plan = planOf({ effects: { snapshots: [snapshot] } });
  await applyWhole(store, plan, [promotedOf("a", "v1", snapshot)], [versionOf("a", "v1")]);
  const broken = snapshotOf("broken");
  const foreign = planOf({ target: { project: "other", submission: 2 }, effects: { snapshots: [broken] } });
  await applyWhole(store, foreign, [promotedOf("broken", "v1", broken)], []);
  const later = planOf({ target: { project: "third", submission: 3 } });
  await applyWhole(store, later, [], []);
  await admin.query("UPDATE weir.snapshots SET body = '{\"macro\":' WHERE id = $1", [broken.id]);
  await admin.query("UPDATE weir.environments SET models = '[{\"model\":1}]' WHERE project = 'third'");
  await admin.query("UPDATE weir.plans SET effects = replace(effects, 'warehouse', 'elsewhere') WHERE id = $1", [
    later.id,
  ]);

  const facts = await store.readStateFacts("shop", "prod", ["shop.a"]);
  expect(facts.snapshots.get(snapshot.id)).toEqual(snapshot);
  expect(facts.others.map((each) => each.project)).toEqual(["other"]);
  expect(warnings.at(-1)).toMatch(/^state_unreadable .*Environment prod of project third/);
  const all = { project: null, environment: null, states: null, limit: 10 };
  expect((await store.listPlans(all)).map((each) => each.plan.id)).toEqual([foreign.id, plan.id]);
  expect(warnings.at(-1)).toMatch(new RegExp(`Plan ${later.id}.*digest`));
  expect(await store.listEnvironments(null)).toHaveLength(2);

  await expect(store.readStateFacts("other", "prod", [])).rejects.toThrow(
    `Snapshot ${broken.id.slice(0, 12)} of model shop.broken in the state database can't be read: it isn't JSON.`,
  );
  expect(await problemCodes(store.listEnvironments("third"))).toEqual(["state_unreadable"]);
  expect(await problemCodes(store.readVersions("third", []))).toEqual(["state_unreadable"]);
  expect(await problemCodes(store.findPlan(later.id))).toEqual(["state_unreadable"]);
});

test("a plan of a newer format is named as such", async () => {
  const plan = planOf({ target: { submission: 77 }, effects: { source: hashText("newer") } });
  await store.savePlan(plan);
  await admin.query("UPDATE weir.plans SET format = 9 WHERE id = $1", [plan.id]);
  expect(await problemCodes(store.findPlan(plan.id))).toEqual(["plan_format_unknown"]);
});

test("everything that state keeps of a plan's life can be read afterwards", async () => {
  const plan = planOf({ target: { environment: "dev", submission: 5 }, context: { author: "otto" } });
  const snapshot = snapshotOf("h");
  await applyWhole(store, plan, [promotedOf("h", "v1", snapshot)], [versionOf("h", "v1")]);
  const events = await admin.query("SELECT state FROM weir.plan_events WHERE plan_id = $1 ORDER BY position", [
    plan.id,
  ]);
  expect(events.rows.map((row) => row.state)).toEqual(["open", "approved", "applying", "applied"]);
  const history = await admin.query("SELECT promotion, at FROM weir.environment_history WHERE plan_id = $1", [plan.id]);
  expect(history.rows).toEqual([{ promotion: 1, at: new Date(AT) }]);
  const versions = await admin.query("SELECT version, run FROM weir.version_history WHERE model = 'shop.h'");
  expect(versions.rows).toEqual([{ version: "v1", run: `r_${plan.id}` }]);
  expect(await store.readDecisions(plan.id)).toEqual([decisionOn(plan)]);
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
