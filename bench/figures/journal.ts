import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { runInside } from "../inside/bundle-inside.ts";
import { medianTimed, type Timed } from "../measure/timed.ts";

interface Written {
  readonly event: Timed;
  readonly insert: Timed;
}

/** An apply waits for two of these around each action, so they are held against the least that a server can do. */
export const measureJournal: Measurement = async ({ server, runs }, report) => {
  const events: Timed[] = [];
  const inserts: Timed[] = [];
  const { outcomes: _, ...measured } = await repeat(runs, async () => {
    const database = await server.createDatabase("journal");
    const { cost, value } = await runInside<Written>(
      "write-journal",
      [database.url],
      database.environment,
      server.readCpuMs,
    );
    events.push(value.event);
    inserts.push(value.insert);
    return { weir: cost, peer: null };
  });
  const part = { ...medianTimed(events), limitMs: medianTimed(inserts).ms, limit: "a plain INSERT on the same server" };
  report({ name: "one journal event, durable", ...measured, part });
};
