import { join } from "node:path";
import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { runInside } from "../inside/bundle-inside.ts";
import { median } from "../measure/cost.ts";
import { generateProject } from "../project/generate-project.ts";

/** SQLMesh infers types by itself or not at all, so that there is nothing to compare. */
export const measureShapes: Measurement = async ({ server, folder, runs }, report) => {
  const database = await server.createDatabase("shapes");
  const project = generateProject(join(folder, "shapes"), { models: 1_000, mix: "views" });
  const times: number[] = [];
  const { outcomes: _, ...measured } = await repeat(runs, async () => {
    const words = [project.folder, database.url];
    const { cost, ms } = await runInside("read-shapes", words, database.environment, server.readCpuMs);
    times.push(ms.shapes ?? 0);
    return { weir: cost, peer: null };
  });
  report({
    name: "shapes of 1,000 models",
    ...measured,
    part: { ms: median(times), limitMs: 2_000, limit: "2 ms a model" },
  });
};
