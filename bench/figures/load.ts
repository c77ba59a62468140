import { join } from "node:path";
import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { median } from "../measure/cost.ts";
import { generateProject } from "../project/generate-project.ts";

/** Weir keeps no cache of models, so that every load is a cold one. The peer's cache is removed before each of its. */
export const measureLoad: Measurement = async ({ server, weir, peer, folder, runs }, report) => {
  const database = await server.createDatabase("load");
  for (const models of [100, 2_000]) {
    const project = generateProject(join(folder, `load-${models}`), { models, mix: "views" });
    const times: number[] = [];
    const { outcomes: _, ...measured } = await repeat(models > 1_000 ? runs : 2 * runs, async () => {
      const { cost, stdout } = await weir.load(project.folder, database);
      const ms = JSON.parse(stdout) as { readonly load: number; readonly fingerprint: number };
      times.push(ms.load + ms.fingerprint);
      peer?.forget(project.folder);
      return { weir: cost, peer: peer === null ? null : (await peer.load(project.folder, database)).cost };
    });
    report({
      name: `load ${models.toLocaleString("en")} models, cold`,
      ...measured,
      part: { ms: median(times), limitMs: models * 5, limit: "2,000 in 10 s (case B10)" },
    });
  }
};
