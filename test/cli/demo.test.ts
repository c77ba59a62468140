import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openDemoServer } from "../../scripts/demo/demo-server.ts";
import { stopEmbedded } from "../../server/engine/embedded/open-embedded.ts";
import { runWeir } from "./run-weir.ts";

// Not made by mkdtemp, whose folders are closed to the user that the server runs as when we are root.
const home = join(tmpdir(), `weir-demo-${randomBytes(6).toString("hex")}`);

afterAll(async () => {
  await stopEmbedded(home);
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

test("the demo leaves two plans waiting, once; the one that can be applied moves nothing of other people's", async () => {
  const first = await runDemo();
  expect(first).toContain("Applied: 15 created, 0 dropped, 0 lost in ");
  const reorder = planOf(first, "ilse, applicable");
  const drop = planOf(first, "marek, blocked");

  const second = await runDemo();
  expect(second).not.toContain("Applied:");
  expect([planOf(second, "ilse, applicable"), planOf(second, "marek, blocked")]).toEqual([reorder, drop]);

  const server = await openDemoServer(home);
  try {
    const { environment } = server;
    const project = join(home, "checkouts", "main", "shop");
    const weir = (...words: readonly string[]) => runWeir([...words, "-p", project], { environment });
    const before = await outsideObjects(environment);
    expect(before).toHaveLength(4);
    const { digest } = JSON.parse((await weir("show", reorder, "--json")).stdout) as { readonly digest: string };
    expect((await weir("approve", reorder, "--digest", digest)).exit).toBe(0);
    expect((await weir("apply", reorder)).exit).toBe(0);
    expect(await outsideObjects(environment)).toEqual(before);
    expect((await weir("approve", drop, "--digest", digest)).exit).toBe(3);
    expect((await weir("show", drop)).stdout).toMatch(/materialized view bi\.daily_revenue \(owner bi_owner\)/);
  } finally {
    await server.release();
  }

  const third = await runDemo();
  expect(third).toContain("The plan of ilse has been applied, and nothing of bi moved.");
  planOf(third, "marek, blocked");
}, 180_000);

async function runDemo(): Promise<string> {
  const program = ["--import", "tsx", "scripts/demo.ts", "--no-serve"];
  const env = { ...process.env, WEIR_HOME: home };
  return (await promisify(execFile)(process.execPath, program, { env })).stdout;
}

function planOf(output: string, what: string): string {
  const id = new RegExp(`^ +([a-z2-7]{12}) +by ${what}`, "m").exec(output)?.[1];
  if (id === undefined) throw new Error(`no plan by ${what} in:\n${output}`);
  return id;
}

/** The same OID means the same object: neither dropped nor made anew. */
async function outsideObjects(environment: Readonly<Record<string, string>>): Promise<readonly object[]> {
  const { PGHOST: host, PGPORT, PGUSER: user, PGPASSWORD: password, PGDATABASE: database } = environment;
  const client = new pg.Client({ host, port: Number(PGPORT), user, password, database });
  await client.connect();
  try {
    const sql = `SELECT oid::text, relname, relkind, relowner::regrole::text, relacl::text FROM pg_class
      WHERE relnamespace = 'bi'::regnamespace AND relkind IN ('v', 'm') ORDER BY relname`;
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}
