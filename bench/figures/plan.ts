import { join } from "node:path";
import type { Bench, Measurement } from "../bench.ts";
import type { BenchDatabase } from "../bench-server.ts";
import { type Figure, type Once, repeat } from "../figure.ts";
import type { Cost } from "../measure/cost.ts";
import { editModel, type GeneratedProject, generateProject } from "../project/generate-project.ts";
import type { Tool } from "../tools.ts";

/** One tool with a project and a database of its own, so that neither sees the other's. */
interface Side {
  readonly tool: Tool;
  readonly project: GeneratedProject;
  readonly database: BenchDatabase;
}

/** First plan, unchanged plan, an edit that nothing depends on, an edit that everything depends on; 1,000 models. */
export const measurePlan: Measurement = (bench, report) => measureWhole(bench, report, 1_000);

/** The first plan of a hundred: about as many actions as people see in a day. */
export const measureApply: Measurement = async (bench, report) => {
  const sides = await openSides(bench, 100);
  report(await measureFirst(bench, sides, 100));
};

async function measureWhole(bench: Bench, report: (figure: Figure) => void, models: number) {
  const sides = await openSides(bench, models);
  report(await measureFirst(bench, sides, models));
  const leaf = models - 1;
  const count = models.toLocaleString("en");
  const steps: readonly (readonly [string, (side: Side, run: number) => Promise<Cost>])[] = [
    [
      `plan ${count}, nothing changed`,
      async ({ tool, project, database }) => (await tool.plan(project.folder, database)).cost,
    ],
    [`plan ${count}, leaf edited`, (side, run) => planEdited(side, leaf, run + 1)],
    [`plan ${count}, root edited`, (side, run) => planEdited(side, 0, run + 1)],
    [`plan and apply ${count}, leaf edited`, (side, run) => applyEdited(side, leaf, run + 1)],
  ];
  for (const [name, step] of steps) report({ name, part: null, ...(await measureStep(bench, sides, step)) });
}

async function openSides({ server, weir, peer, folder }: Bench, models: number): Promise<readonly Side[]> {
  const tools = peer === null ? [weir] : [weir, peer];
  const sides: Side[] = [];
  for (const tool of tools) {
    const name = `${tool.name.toLowerCase()}_${models}`;
    const project = generateProject(join(folder, name), { models, mix: "views" });
    sides.push({ tool, project, database: await server.createDatabase(name) });
  }
  return sides;
}

/** Each time on an empty database and without a cache. Leaves the last one applied. */
async function measureFirst(bench: Bench, sides: readonly Side[], models: number): Promise<Figure> {
  const step = async ({ tool, project, database }: Side): Promise<Cost> => {
    await bench.server.createDatabase(database.environment.PGDATABASE ?? "");
    tool.forget(project.folder);
    return (await tool.apply(project.folder, database)).cost;
  };
  const name = `first plan and apply, ${models.toLocaleString("en")} models`;
  return { name, part: null, ...(await measureStep(bench, sides, step)) };
}

async function measureStep(
  { runs, peerRuns }: Bench,
  sides: readonly Side[],
  step: (side: Side, run: number) => Promise<Cost>,
): Promise<Omit<Figure, "name" | "part">> {
  const [own, other] = sides;
  if (own === undefined) throw new Error("there is nobody to measure");
  const { outcomes: _, ...measured } = await repeat(runs, async (run): Promise<Once> => {
    const weir = await step(own, run);
    return { weir, peer: other === undefined || run >= peerRuns ? null : await step(other, run) };
  });
  return measured;
}

async function planEdited({ tool, project, database }: Side, index: number, edit: number): Promise<Cost> {
  editModel(project, index, edit);
  const { cost } = await tool.plan(project.folder, database);
  editModel(project, index, 0);
  return cost;
}

async function applyEdited({ tool, project, database }: Side, index: number, edit: number): Promise<Cost> {
  // Other constants than those planned before: of a query that it has met, a tool may remember something.
  editModel(project, index, 100 + edit);
  return (await tool.apply(project.folder, database)).cost;
}
