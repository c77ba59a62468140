import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { runInside } from "../inside/bundle-inside.ts";
import { median } from "../measure/cost.ts";

/** An apply waits for two of these around each action, so they are held against the least that a server can do. */
export const measureJournal: Measurement = async ({ server, runs }, report) => {
  const events: number[] = [];
  const inserts: number[] = [];
  const { outcomes: _, ...measured } = await repeat(runs, async () => {
    const database = await server.createDatabase("journal");
    const { cost, ms } = await runInside("write-journal", [database.url], database.environment, server.readCpuMs);
    events.push(ms.event ?? 0);
    inserts.push(ms.insert ?? 0);
    return { weir: cost, peer: null };
  });
  const part = { ms: median(events), limitMs: median(inserts), limit: "a plain INSERT on the same server" };
  report({ name: "one journal event, durable", ...measured, part });
};
