// `node --import tsx bench/sqlmesh/compare.ts --sqlmesh PATH [--models N]`: one generated project, applied by Weir and by
// SQLMesh into a database each; afterwards every virtual view must have the same columns, types and rows. Opt-in.

import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BenchServer, openBenchServer } from "../bench-server.ts";
import { editModel, type GeneratedProject, generateProject } from "../project/generate-project.ts";
import { sqlmesh, weir } from "../tools.ts";
import { compareViews, readViews } from "./virtual-views.ts";

const { values } = parseArgs({
  options: { sqlmesh: { type: "string" }, models: { type: "string", default: "42" } },
});
if (values.sqlmesh === undefined) throw new Error("Give --sqlmesh PATH: the program of a virtual environment.");

interface Step {
  readonly name: string;
  readonly environment: string;
  readonly edit: (project: GeneratedProject) => void;
}

const MIX = "kinds";
/** Of the kinds by number (bench/project/model-text.ts), the first view of several that has readers. */
const VIEW_WITH_READERS = 1;

const steps: readonly Step[] = [
  { name: "first plan of prod", environment: "prod", edit: () => undefined },
  {
    name: "dev, one view edited",
    environment: "dev",
    edit: (project) => editModel(project, VIEW_WITH_READERS, 7, MIX),
  },
  { name: "the same edit in prod", environment: "prod", edit: () => undefined },
  {
    name: "leaf edited in prod",
    environment: "prod",
    edit: (project) => editModel(project, project.models - 1, 3, MIX),
  },
];

const folder = join(tmpdir(), `weir-compare-${randomBytes(6).toString("hex")}`);
mkdirSync(folder, { recursive: true });
const server = await openBenchServer();
try {
  process.exitCode = (await compareTools(server, resolve(values.sqlmesh), Number(values.models))) ? 0 : 1;
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function compareTools(own: BenchServer, program: string, models: number): Promise<boolean> {
  const peer = sqlmesh(own, program);
  if (peer === null) throw new Error("there is no peer");
  const tools = [weir(own, null), peer];
  const sides = [];
  for (const tool of tools) {
    const name = tool.name.toLowerCase();
    const project = generateProject(join(folder, name), { models, mix: MIX });
    sides.push({ tool, project, database: await own.createDatabase(`compare_${name}`) });
  }
  let equal = true;
  for (const step of steps) {
    const seen = [];
    for (const { tool, project, database } of sides) {
      step.edit(project);
      await tool.apply(project.folder, database, step.environment);
      seen.push(await readViews(database));
    }
    const [left = [], right = []] = seen;
    const differences = compareViews(left, right);
    equal = equal && differences.length === 0 && left.length > 0;
    const rows = left.reduce((sum, view) => sum + view.rows.length, 0);
    say(`${step.name}: ${left.length} views, ${rows} rows, ${differences.length} differences`);
    for (const difference of differences) say(`  ${difference}`);
  }
  return equal;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
