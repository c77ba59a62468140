import { afterAll, afterEach, expect, test } from "vitest";
import { createApplyWorld } from "./apply-world.ts";
import { type ProjectFiles, before as shop } from "./crash-project.ts";
import { readEndState } from "./read-end-state.ts";
import { slowProject } from "./slow-project.ts";
import {
  applyHere,
  approve,
  codesOf,
  createWorld,
  endAdmin,
  planAndApply,
  planOf,
  startDriver,
  until,
  type World,
  whenFree,
} from "./world.ts";

const drops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop();
});
afterAll(endAdmin);

const config = { "config.yaml": shop["config.yaml"] ?? "" };

async function plannedWorld(
  files: ProjectFiles,
  outside: readonly string[] = [],
): Promise<{ world: World; planId: string }> {
  const world = await createWorld("half");
  drops.push(world.drop);
  for (const statement of outside) await world.query(statement);
  await world.write({ ...config, ...files });
  const services = await world.services();
  try {
    const planned = await planOf(services, world.place);
    await approve(services, planned);
    return { world, planId: planned.plan.id };
  } finally {
    await services.close();
  }
}

const dividing: ProjectFiles = {
  "models/ratio.sql": `MODEL (name shop.ratio, kind FULL);
INSERT INTO side.log VALUES ('ratio pre');
SELECT id, 100 / divisor AS ratio FROM src.divisors;
INSERT INTO side.log VALUES ('ratio post');
`,
  "models/orders.sql": "MODEL (name shop.orders, kind VIEW);\nSELECT id, amount FROM src.orders\n",
};
const divisors = ["CREATE TABLE src.divisors (id integer, divisor integer)", "INSERT INTO src.divisors VALUES (1, 0)"];

test("a fill that failed is done once what was wrong is put right, and what was done before it isn't done again", async () => {
  const { world, planId } = await plannedWorld(dividing, divisors);
  const services = await world.services();
  try {
    const first = await applyHere(services, world.place, planId).then(() => [], codesOf);
    expect(first).toEqual(["action_failed"]);
    expect(await services.state.findPlan(planId)).toMatchObject({ state: "failed", stateReason: "action_failed" });
    expect(await world.query("SELECT label FROM side.log")).toEqual([{ label: "ratio pre" }]);
    expect(await applyHere(services, world.place, planId).then(() => [], codesOf)).toEqual(["resume_needed"]);
    await world.query("UPDATE src.divisors SET divisor = 4");
    const { run } = await applyHere(services, world.place, planId, { resume: true });
    expect(run).toMatchObject({ state: "applied", done: run.total });
    expect(await world.query("SELECT * FROM shop.ratio")).toEqual([{ id: 1, ratio: 25 }]);
    expect(await world.query("SELECT label FROM side.log ORDER BY 1")).toEqual([
      { label: "ratio post" },
      { label: "ratio pre" },
    ]);
  } finally {
    await services.close();
  }
});

test("what others changed in the meantime makes a resumed plan stale, what the run itself made doesn't", async () => {
  const { world, planId } = await plannedWorld(dividing, divisors);
  const services = await world.services();
  try {
    await applyHere(services, world.place, planId).then(() => undefined, codesOf);
    await world.query("CREATE SCHEMA IF NOT EXISTS shop");
    await world.query("CREATE VIEW shop.orders AS SELECT 1 AS somebody_elses");
    await world.query("UPDATE src.divisors SET divisor = 4");
    expect(await applyHere(services, world.place, planId, { resume: true }).then(() => [], codesOf)).toEqual([
      "plan_stale",
    ]);
    expect(await services.state.findPlan(planId)).toMatchObject({ state: "stale", moved: ["relation:shop.orders"] });
    expect(await applyHere(services, world.place, planId, { resume: true }).then(() => [], codesOf)).toEqual([
      "plan_stale",
    ]);
    const [run] = await services.state.listRuns({ planId, environment: null, limit: 1 });
    expect(run?.state).toBe("failed");
  } finally {
    await services.close();
  }
});

test("views that the run has made on a table aren't movement of what hangs on that table", async () => {
  const files = (columns: string, title: string): ProjectFiles => ({
    ...config,
    "models/ledger.sql": `MODEL (name shop.ledger, kind INCREMENTAL_BY_PARTITION, partitioned_by country);
SELECT id, country${columns} FROM src.orders
`,
    "models/titles.sql": `MODEL (name shop.titles, kind VIEW);\nSELECT id, '${title}' AS title FROM shop.ledger\n`,
    "models/sums.sql": `MODEL (name shop.sums, kind VIEW (materialized true), physical_properties (indexes = ('(id)')));
SELECT id, '${title}' AS title FROM shop.ledger
`,
  });
  const world = await createWorld("closure");
  drops.push(world.drop);
  await world.write(files(", amount", "a"));
  const services = await world.services();
  const reader = await world.connect("bi tool");
  try {
    await planAndApply(services, world.place);
    await world.write(files("", "b"));
    const planned = await planOf(services, world.place, "ann", ["shop.ledger"]);
    expect(
      planned.plan.effects.base.map(({ key }) => key).filter((key) => /closure:sqlmesh__shop/.test(key)),
    ).toHaveLength(1);
    await approve(services, planned);
    const { id } = planned.plan;
    await reader.query("BEGIN");
    await reader.query("SELECT * FROM shop.ledger");
    const options = { patienceMs: 200 };
    expect(await applyHere(services, world.place, id, options).then(() => [], codesOf)).toEqual(["promotion_blocked"]);
    await reader.query("COMMIT");
    expect((await applyHere(services, world.place, id, { resume: true })).run.state).toBe("applied");
    const columns = await world.query(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name LIKE 'shop__ledger%'",
    );
    expect(columns).toEqual([{ name: "id" }, { name: "country" }]);
  } finally {
    await reader.end();
    await services.close();
  }
});

test("a plan goes to the warehouse that it was made for, whichever gateway is the default by then", async () => {
  const { world, planId } = await plannedWorld({
    "models/orders.sql": "MODEL (name shop.orders, kind VIEW);\nSELECT id FROM src.orders\n",
  });
  const other = `default_gateway: other
gateways:
  other:
    connection: { type: postgres, host: 127.0.0.1, port: 1, user: nobody, password: "", database: nowhere }
`;
  await world.write({ "config.yaml": other + config["config.yaml"].replace("gateways:\n", "") });
  const services = await world.services();
  try {
    expect((await applyHere(services, world.place, planId)).run.state).toBe("applied");
  } finally {
    await services.close();
  }
});

test("a table that is made again and whose filling was cut short isn't served empty by the next plan", async () => {
  const { world, planId } = await plannedWorld(withoutConfig(slowProject.after), slowProject.outside);
  const services = await world.services();
  const gate = await world.connect("gate");
  try {
    await applyHere(services, world.place, planId);
    const [table] = await world.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'sqlmesh__shop'",
    );
    await world.query("DROP VIEW shop.slow");
    await world.query(`DROP TABLE ${table?.name}`);
    const again = await planOf(services, world.place);
    await approve(services, again);
    await gate.query("BEGIN; LOCK TABLE src.orders");
    const driver = startDriver();
    const { database, folder } = world;
    const job = { database, folder, planId: again.plan.id, resume: false, patienceMs: 20_000, killAt: 0, every: false };
    driver.start(job);
    await until(async () => {
      const waiting = await world.query(
        "SELECT FROM pg_stat_activity WHERE query LIKE '%INSERT INTO \"sqlmesh%' AND wait_event_type = 'Lock'",
      );
      return waiting.length > 0 ? true : null;
    });
    driver.kill("SIGKILL");
    await driver.outcome;
    await gate.query("COMMIT");
    await whenFree(() => planAndApply(services, world.place));
    expect(await world.query("SELECT * FROM shop.slow ORDER BY id")).toEqual([
      { id: 1, doubled: 2 },
      { id: 2, doubled: 4 },
    ]);
  } finally {
    await gate.end();
    await services.close();
  }
});

function withoutConfig(files: ProjectFiles): ProjectFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path !== "config.yaml"));
}

test("whether a statement outside of any transaction has run is asked once its process died, and never guessed", async () => {
  const indexed = (columns: string): ProjectFiles => ({
    ...config,
    "models/wide.sql": `MODEL (name shop.wide, kind FULL);
SELECT id${columns} FROM src.orders;
CREATE INDEX CONCURRENTLY wide_id ON @this_model (id);
`,
  });
  const place = await createApplyWorld("alone", indexed(""), indexed(", amount"));
  drops.push(place.drop);
  const { world, plan, whole, apply, restore } = place;
  const { database, folder } = world;
  const drive = (killAt: number) => {
    const driver = startDriver();
    driver.start({ database, folder, planId: plan.id, resume: false, patienceMs: 20_000, killAt, every: true });
    return driver.outcome;
  };
  const passed = (await drive(0))?.passed ?? [];
  await restore();
  const moment = passed.findIndex((label) => /sent .*CREATE INDEX CONCURRENTLY/.test(label)) + 1;
  expect(moment).toBeGreaterThan(0);
  expect(await drive(moment)).toBeNull();
  const asked = await until(async () => {
    const applied = await apply({ resume: true });
    return applied.codes.includes("environment_held") ? null : applied;
  });
  expect(asked.codes).toEqual(["outcome_unknown"]);
  expect(asked.message).toContain("CREATE INDEX CONCURRENTLY");
  // Whoever looks finds the index, whole or broken, and takes it away; then the statement is sent again.
  const [index] = await world.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, indexname) AS name FROM pg_indexes WHERE tablename = $1",
    [plan.effects.actions.find((action) => action.kind === "create_table")?.target.name],
  );
  if (index !== undefined) await world.query(`DROP INDEX ${index.name}`);
  expect((await apply({ resume: true })).message).toBeNull();
  expect(await readEndState(world)).toEqual(whole);
});
