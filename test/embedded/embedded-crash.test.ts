import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { isRunning } from "../../server/engine/embedded/process-identity.ts";
import { isRoot, later, newHome, open, opener, postmasterOf, until } from "./embedded-world.ts";
import { rows } from "./rows.ts";

test("kill -9 of the server under writes loses no acknowledged row; the next opener recovers it", {
  timeout: 90_000,
}, async () => {
  const home = newHome();
  const durations: number[] = [];
  const acknowledged: number[] = [];
  await rows((await open({ home })).url("weir"), "CREATE TABLE written (n int PRIMARY KEY)");
  for (let round = 0; round < 3; round++) {
    const server = await open({ home });
    const writers = [0, 1, 2, 3].map(async (writer) => {
      const client = new pg.Client({ connectionString: server.url("weir") });
      client.on("error", () => {});
      await client.connect();
      for (let n = round * 1_000_000 + writer; ; n += 4) {
        try {
          await client.query("INSERT INTO written VALUES ($1)", [n]);
        } catch {
          return;
        }
        acknowledged.push(n);
      }
    });
    const before = acknowledged.length;
    await until("rows are written", 10_000, () => acknowledged.length > before + 100);
    process.kill(postmasterOf(home) ?? 0, "SIGKILL");
    const began = performance.now();
    const again = await open({ home });
    durations.push(Math.round(performance.now() - began));
    await Promise.all(writers);
    const found = new Set((await rows<{ n: number }>(again.url("weir"), "SELECT n FROM written")).map((row) => row.n));
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([]);
  }
  console.log(`reopened after kill -9 in ${durations.join(", ")} ms, ${acknowledged.length} rows`);
});

test("kill -9 of the opener leaves the server to the others, and to the next", async () => {
  const home = newHome();
  const first = opener({ home, fsync: false });
  const { url } = await first.answer;
  const second = await open({ home });
  first.kill();
  await first.ended;
  expect(await rows(second.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.release();
  expect((await open({ home })).url("weir")).toBe(url);
});

test("kill -9 of the opener at any moment of a first start leaves nothing in the way", {
  timeout: 120_000,
}, async () => {
  for (let afterMs = 150; afterMs <= 1200; afterMs += 210) {
    const home = newHome();
    const first = opener({ home, fsync: false });
    await sleep(afterMs);
    first.kill();
    const server = await open({ home, fsync: false });
    expect(await rows(server.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await server.release();
  }
});

test("a dead server's file is seen through, also when its number belongs to another process by now", async () => {
  const home = newHome();
  const server = await open({ home, fsync: false });
  const pid = postmasterOf(home) ?? 0;
  await server.release();
  process.kill(pid, "SIGKILL");
  await until("it is dead", 5000, () => !isRunning(pid));
  const stranger = spawn("sleep", ["60"], {
    stdio: "ignore",
    ...(isRoot ? ownerOf(home) : {}),
  });
  later(async () => stranger.kill());
  const file = join(home, "postgres", "18", "data", "postmaster.pid");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(stranger.pid)));
  const again = await open({ home, fsync: false });
  expect(await rows(again.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(stranger.exitCode).toBeNull();
});

test("a long-lived opener is seen again after a crash that closed all connections", { timeout: 60_000 }, async () => {
  const home = newHome();
  const server = await open({ home, fsync: false });
  const present = "SELECT pid FROM pg_stat_activity WHERE application_name = 'weir presence'";
  const [before] = await rows<{ pid: number }>(server.url("postgres"), present);
  process.kill(before?.pid ?? 0, "SIGKILL");
  await until("the opener is back", 20_000, async () => {
    const [now] = await rows<{ pid: number }>(server.url("postgres"), present).catch(() => []);
    return now !== undefined && now.pid !== before?.pid;
  });
});

/** The same user as the server's: PostgreSQL takes another user's process for a dead server's number anyway. */
function ownerOf(home: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(join(home, "postgres", "18", "data"));
  return { uid, gid };
}
