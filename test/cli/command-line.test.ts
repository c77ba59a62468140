import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { runWeir } from "./run-weir.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-cli-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commands = [
  "init",
  "plan",
  "show",
  "approve",
  "reject",
  "apply",
  "environments",
  "inspect",
  "render",
  "serve",
  "clean",
];

describe("help", () => {
  test("lists every command that is there and none that isn't", async () => {
    const { exit, stdout, stderr } = await runWeir(["--help"]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const listed = [...stdout.matchAll(/^ {2}([a-z]+)( |$)/gm)].map((match) => match[1]);
    expect(listed).toEqual([...commands, "help"]);
  });

  test.each(commands)("%s has a help of its own, with the options of all commands", async (command) => {
    const { exit, stdout } = await runWeir([command, "--help"]);
    expect(exit).toBe(0);
    expect(stdout).toContain(`Usage: weir ${command}`);
    expect(stdout).toContain("--json");
  });

  test("the version is the package's", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
    expect(await runWeir(["--version"])).toEqual({ exit: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("starting loads no driver, no parser of SQL or YAML and no web server", () => {
    const loaded = sourcesLoadedAtStart(inject("weirProgram"));
    const packages = [...loaded].flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual(["commander", "picocolors"]);
    expect(
      [...loaded].filter((source) => /server\/(engine|state|project|operations|evaluator)\//.test(source)),
    ).toEqual([]);
  });
});

describe("wrong usage ends with 64, and says what was meant", () => {
  test.each([
    [[], "Usage: weir"],
    [["plna"], "Unknown command 'plna'. Did you mean plan? See: weir --help"],
    [
      ["plan", "--detailed-exitcod"],
      "Unknown option '--detailed-exitcod'. Did you mean --detailed-exitcode? See: weir plan --help",
    ],
    [["plan", "--format", "xml"], "Allowed choices are text, json, markdown"],
    [["plan", "a", "b"], "Too many arguments"],
    [["plan", "--submit", "--auto-apply"], "--submit and --auto-apply exclude each other"],
    [["show"], "Missing required argument 'plan'"],
    [["approve", "abc"], "Required option '--digest <digest>' not specified"],
    [["reject", "abc"], "Required option '--reason <text>' not specified"],
    [["plan", "-p", "a", "-p", "b"], "one project"],
    [["serve", "--port", "70000"], '"70000" is no port'],
  ])("%j", async (words, message) => {
    const { exit, stdout, stderr } = await runWeir(words);
    expect({ exit, stdout }).toEqual({ exit: 64, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});

describe("with --json", () => {
  test.each([
    [["plan", "--json"], 4, "config_missing"],
    [["--json", "plan"], 4, "config_missing"],
    [["plan", "--format", "json"], 4, "config_missing"],
    [["plan", "--json", "--nonsense"], 64, "usage_invalid"],
    [["plan", "--format", "json", "--nonsense"], 64, "usage_invalid"],
    [["plan", "--json", "-p", "nowhere"], 64, "project_missing"],
  ])("%j prints one JSON value on stdout, the error", async (words, exit, code) => {
    const ended = await runWeir(words, { cwd: folder });
    expect(ended.exit).toBe(exit);
    const { error } = JSON.parse(ended.stdout) as {
      error: { exit: number; problems: { code: string; sentence: string }[] };
    };
    expect(error.exit).toBe(exit);
    expect(error.problems[0]).toMatchObject({ code, sentence: expect.stringMatching(/\S/) });
    for (const line of ended.stderr.split("\n").filter((each) => each !== "")) JSON.parse(line);
  });
});

describe("init and clean", () => {
  test("a project is written, and not a second time", async () => {
    const first = await runWeir(["init", "river"], { cwd: folder });
    expect(first).toMatchObject({ exit: 0, stderr: "" });
    expect(first.stdout).toContain("models/daily_levels.sql");
    const second = await runWeir(["init", "river", "--json"], { cwd: folder });
    expect(second.exit).toBe(64);
    expect(JSON.parse(second.stdout)).toMatchObject({ error: { problems: [{ code: "files_in_the_way" }] } });
  });

  test("clean works on several projects, with a broken configuration and without a folder", async () => {
    write("one/config.yaml", "gateways: [\n{{ nonsense");
    write("one/.cache/weir/ab/entry", "12345");
    const { exit, stdout } = await runWeir(["clean", "-p", "one", "-p", "gone"], { cwd: folder });
    expect(exit).toBe(0);
    expect(stdout).toBe(
      `Removed 1 file (5 bytes) from ${join(folder, "one/.cache/weir")}.\nNothing to remove: there is no ${join(folder, "gone/.cache/weir")}.\n`,
    );
    expect(readFileSync(join(folder, "one/config.yaml"), "utf8")).toContain("nonsense");
  });

  test("clean refuses a folder that can't be a cache, and goes on with the next project", async () => {
    write("weir/config.yaml", "cache_dir: .\n");
    write("two/.cache/weir/entry", "1");
    const { exit, stdout, stderr } = await runWeir(["clean", "-p", "weir", "-p", "two"], { cwd: folder });
    expect(exit).toBe(3);
    expect(stderr).toContain("the project is in it");
    expect(stdout).toContain("Removed 1 file");
    expect(readFileSync(join(folder, "weir/config.yaml"), "utf8")).toBe("cache_dir: .\n");
  });
});

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Sources that the program's static imports reach, through its chunks; what is imported when needed isn't followed. */
function sourcesLoadedAtStart(program: string): ReadonlySet<string> {
  const sources = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const map = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { readonly sources: readonly string[] };
    for (const source of map.sources) sources.add(source);
    for (const match of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^"']*?["']([^"']+)["'];?$/gm)) {
      const from = match[1] ?? "";
      if (from.startsWith(".")) visit(resolve(dirname(file), from));
      else if (!from.startsWith("node:")) sources.add(`node_modules/${from}`);
    }
  };
  visit(program);
  return sources;
}
