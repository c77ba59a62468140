import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stopEmbedded } from "../../server/engine/embedded/open-embedded.ts";
import { isRoot, newHome, open, opener, postmasterOf } from "./embedded-world.ts";
import { rows } from "./rows.ts";

/** Who may run what can be tried by root alone. */
const nobody = 65534;
const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

describe.runIf(isRoot && works("setpriv", "--version"))("users", () => {
  test("root's server runs as somebody else, and keeps its password to root", async () => {
    const home = newHome();
    await open({ home, fsync: false });
    const { uid } = statSync(join(home, "postgres", "18", "data"));
    expect(uid).not.toBe(0);
    expect(statSync(`/proc/${postmasterOf(home)}`).uid).toBe(uid);
    expect(statSync(join(home, "postgres", "18", "server.json"))).toMatchObject({ uid: 0 });
    const other = await opener({ home }, { wrap: asNobody }).answer;
    expect(other).toMatchObject({ code: "folder_unwritable", message: expect.stringContaining("WEIR_HOME") });
  });

  test("a plain user's server runs as that user", async () => {
    const home = newHome();
    mkdirSync(home);
    chownSync(home, nobody, nobody);
    const user = opener({ home, fsync: false }, { wrap: asNobody });
    expect(await user.answer).toMatchObject({ url: expect.stringMatching(/^postgresql:/) });
    expect(statSync(`/proc/${postmasterOf(home)}`).uid).toBe(nobody);
  });

  test("root in a plain user's home leaves it to the plain user", async () => {
    const home = newHome();
    mkdirSync(home);
    chownSync(home, nobody, nobody);
    const first = opener({ home, fsync: false }, { wrap: asNobody });
    const { url } = await first.answer;
    await first.release();
    await stopEmbedded(home);
    const root = await open({ home, fsync: false });
    expect(root.url("weir")).toBe(url);
    expect(statSync(`/proc/${postmasterOf(home)}`).uid).toBe(nobody);
    await root.release();
    await stopEmbedded(home);
    expect((await opener({ home, fsync: false }, { wrap: asNobody }).answer).url).toBe(url);
  });

  test("root's data in a folder closed to others is refused", async () => {
    const closed = newHome();
    mkdirSync(closed, { mode: 0o700 });
    const fault = await open({ home: join(closed, "weir") }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "folder_unreachable", fields: { blocked: closed } });
    expect(String(fault)).toContain("WEIR_HOME");
  });

  test("a strict umask of root's doesn't close the home", async () => {
    const home = newHome();
    const answer = await opener({ home, fsync: false }, { wrap: ["sh", "-c", 'umask 077; exec "$@"', "sh"] }).answer;
    expect(answer).toMatchObject({ url: expect.stringMatching(/^postgresql:/) });
  });

  test("a home that the user may not write is refused", async () => {
    const home = newHome();
    mkdirSync(home, { mode: 0o755 });
    expect(await opener({ home }, { wrap: asNobody }).answer).toMatchObject({ code: "folder_unwritable" });
  });

  test("a user without a name is told so", async () => {
    const home = newHome();
    mkdirSync(home);
    chownSync(home, 61234, 61234);
    const wrap = ["setpriv", "--reuid=61234", "--regid=61234", "--clear-groups"];
    expect(await opener({ home }, { wrap }).answer).toMatchObject({ code: "unnamed_user" });
  });
});

const canMount = isRoot && works("unshare", "-m", "true");

describe.runIf(canMount)("machines", () => {
  test.each([
    [
      "without a user postgres: nobody runs it",
      (line: string) => !line.startsWith("postgres:"),
      { url: expect.any(String) },
    ],
    ["without nobody either: a message", (line: string) => line.startsWith("root:"), { code: "no_plain_user" }],
  ])("%s", async (_title, keep, expected) => {
    const home = newHome();
    const passwd = newHome(".passwd");
    writeFileSync(passwd, `${readFileSync("/etc/passwd", "utf8").split("\n").filter(keep).join("\n")}\n`);
    const wrap = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" /etc/passwd; shift; exec "$@"', "sh", passwd];
    expect(await opener({ home, fsync: false }, { wrap }).answer).toMatchObject(expected);
    if ("url" in expected) expect(statSync(join(home, "postgres", "18", "data")).uid).toBe(nobody);
  });

  test("with a full disk: a message, and nothing left behind", async () => {
    const home = newHome();
    mkdirSync(home);
    chmodSync(home, 0o755);
    const wrap = [
      "unshare",
      "-m",
      "sh",
      "-c",
      'mount -t tmpfs -o size=12m,mode=755 tmpfs "$1"; home=$1; shift; "$@"; ls "$home/postgres" >&2',
      "sh",
      home,
    ];
    const process = opener({ home, fsync: false }, { wrap });
    const answer = await process.answer;
    expect(answer).toMatchObject({ code: "disk_full" });
    expect(answer.message).toMatch(/No space left.*WEIR_HOME/s);
  });

  test("sharing a home with a container: the second server is refused while the first works", {
    timeout: 60_000,
  }, async () => {
    const home = newHome();
    const server = await open({ home, fsync: false, idleSeconds: 10 });
    const wrap = ["unshare", "--pid", "--ipc", "--net", "--mount-proc", "--fork"];
    const fault = await opener({ home, fsync: false }, { wrap }).answer;
    expect(fault).toMatchObject({ code: "used_elsewhere" });
    expect(await rows(server.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});
