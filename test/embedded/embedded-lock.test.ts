import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withHomeLock } from "../../server/engine/embedded/home-lock.ts";
import { thisProcess } from "../../server/engine/embedded/process-identity.ts";
import { later, newHome } from "./embedded-world.ts";

const module = new URL("../../server/engine/embedded/home-lock.ts", import.meta.url).href;

/** Enters `times` times; inside, fails if somebody else is, and counts. `die`: is killed while inside. */
const program = `
  import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  const { withHomeLock } = await import(process.argv[1]);
  const [folder, times, die] = process.argv.slice(2);
  const inside = folder + "/../inside", count = folder + "/../count";
  for (let time = 0; time < Number(times); time++) {
    await withHomeLock(folder, async () => {
      if (existsSync(inside) && readFileSync(inside, "utf8") !== "dead") throw new Error("two inside");
      writeFileSync(inside, String(process.pid));
      const before = Number(readFileSync(count, "utf8"));
      await sleep(Math.random() * 4);
      writeFileSync(count, String(before + 1));
      if (die === "die" && time === Number(times) - 1) {
        writeFileSync(inside, "dead");
        process.kill(process.pid, "SIGKILL");
      }
      rmSync(inside);
    });
  }
`;

function contender(folder: string, times: number, die = false): Promise<string> {
  const loader = import.meta.resolve("tsx");
  const args = [
    "--import",
    loader,
    "--input-type=module",
    "-e",
    program,
    "--",
    module,
    folder,
    String(times),
    die ? "die" : "live",
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });
  later(async () => child.kill("SIGKILL"));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? (code === 0 ? "" : errors))));
}

test("one at a time, also when holders are killed", { timeout: 60_000 }, async () => {
  const home = newHome();
  const folder = join(home, "lock");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, "count"), "0");
  const ends = await Promise.all([
    ...[1, 2, 3].map(() => contender(folder, 40)),
    ...[1, 2, 3].map(() => contender(folder, 15, true)),
  ]);
  expect(ends).toEqual(["", "", "", "SIGKILL", "SIGKILL", "SIGKILL"]);
  expect(readFileSync(join(home, "count"), "utf8")).toBe(String(3 * 40 + 3 * 15));
  expect(readdirSync(folder).length).toBeLessThanOrEqual(10);
});

test("a number that came again, a boot ago or in this boot, is not the holder", async () => {
  const folder = join(newHome(), "lock");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "1"), JSON.stringify({ ...thisProcess(), started: "1" }));
  await withHomeLock(folder, async () => {});
  expect(existsSync(join(folder, "2"))).toBe(true);
});

test("callers in one process take turns, and a failure frees it", async () => {
  const folder = join(newHome(), "lock");
  const order: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map((name) =>
      withHomeLock(folder, async () => {
        order.push(`${name} in`);
        await Promise.resolve();
        order.push(`${name} out`);
        if (name === "b") throw new Error("b");
      }).catch(() => {}),
    ),
  );
  for (let at = 0; at < 6; at += 2) expect(order[at + 1]).toBe(order[at]?.replace("in", "out"));
});
