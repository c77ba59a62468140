import { join } from "node:path";
import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { medianTimed, type Timed } from "../measure/timed.ts";
import { generateProject } from "../project/generate-project.ts";

/** Weir keeps no cache of models, so that every load is a cold one. The peer's cache is removed before each of its. */
export const measureLoad: Measurement = async ({ server, weir, peer, folder, runs, peerRuns }, report) => {
  const database = await server.createDatabase("load");
  for (const models of [100, 2_000]) {
    const project = generateProject(join(folder, `load-${models}`), { models, mix: "views" });
    const times: Timed[] = [];
    const { outcomes: _, ...measured } = await repeat(models > 1_000 ? runs : 2 * runs, async (run) => {
      const { cost, stdout } = await weir.load(project.folder, database);
      times.push(JSON.parse(stdout) as Timed);
      peer?.forget(project.folder);
      return {
        weir: cost,
        peer: peer === null || run >= peerRuns ? null : (await peer.load(project.folder, database)).cost,
      };
    });
    report({
      name: `load ${models.toLocaleString("en")} models, cold`,
      ...measured,
      part: models === 2_000 ? { ...medianTimed(times), limitMs: 10_000, limit: "case B10" } : null,
    });
  }
};
