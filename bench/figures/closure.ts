import type { Measurement } from "../bench.ts";
import type { BenchDatabase } from "../bench-server.ts";
import { repeat } from "../figure.ts";
import { runInside } from "../inside/bundle-inside.ts";
import { medianTimed, type Timed } from "../measure/timed.ts";

const DEPENDENTS = 1_000;

/** Three forms of dependents: all on one table, each two on one before, each on the last. Two columns used of each. */
const forms: Readonly<Record<string, (index: number) => number>> = {
  wide: () => 0,
  tree: (index) => Math.floor(index / 2),
  chain: (index) => index - 1,
};

interface Reading {
  readonly first: Timed;
  readonly later: Timed;
}

export const measureClosure: Measurement = async ({ server, runs }, report) => {
  const database = await server.createDatabase("closure");
  for (const [form, parentOf] of Object.entries(forms)) {
    await buildDependents(database, form, parentOf);
    const firsts: Timed[] = [];
    const laters: Timed[] = [];
    const { outcomes: _, ...measured } = await repeat(runs, async () => {
      const words = [database.url, form, "v0", String(DEPENDENTS)];
      const { cost, value } = await runInside<Reading>("read-closure", words, database.environment, server.readCpuMs);
      firsts.push(value.first);
      laters.push(value.later);
      return { weir: cost, peer: null };
    });
    const shared = { ...measured, peer: null };
    const name = `closure of 1,000 dependents, ${form}`;
    const limit = "1,000 in 150 ms";
    report({ name: `${name}, first`, ...shared, part: { ...medianTimed(firsts), limitMs: 150, limit } });
    report({ name: `${name}, later`, ...shared, part: { ...medianTimed(laters), limitMs: 150, limit } });
  }
};

/** A transaction for every hundred: all at once would need more locks than a server has. */
async function buildDependents(database: BenchDatabase, form: string, parentOf: (index: number) => number) {
  await database.query(`CREATE SCHEMA ${form}; CREATE TABLE ${form}.v0 (a integer, b text)`);
  for (let from = 1; from <= DEPENDENTS; from += 100) {
    const statements = Array.from({ length: 100 }, (_, offset) => {
      const index = from + offset;
      return `CREATE VIEW ${form}.v${index} AS SELECT a, b FROM ${form}.v${parentOf(index)}`;
    });
    await database.query(statements.join(";\n"));
  }
  await database.query("ANALYZE pg_catalog.pg_depend");
}
