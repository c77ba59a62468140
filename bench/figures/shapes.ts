import { join } from "node:path";
import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { runInside } from "../inside/bundle-inside.ts";
import { medianTimed, type Timed } from "../measure/timed.ts";
import { generateProject } from "../project/generate-project.ts";

/** SQLMesh infers types by itself or not at all, so that there is nothing to compare. */
export const measureShapes: Measurement = async ({ server, folder, runs }, report) => {
  const database = await server.createDatabase("shapes");
  const project = generateProject(join(folder, "shapes"), { models: 1_000, mix: "views" });
  const times: Timed[] = [];
  const { outcomes: _, ...measured } = await repeat(runs, async () => {
    const words = [project.folder, database.url];
    const { cost, value } = await runInside<Timed>("read-shapes", words, database.environment, server.readCpuMs);
    times.push(value);
    return { weir: cost, peer: null };
  });
  report({
    name: "shapes of 1,000 models",
    ...measured,
    part: { ...medianTimed(times), limitMs: 2_000, limit: "2 ms a model" },
  });
};
