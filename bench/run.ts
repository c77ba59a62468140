// `npm run bench`: speed and memory of the built command line, as ratios. Opt-in; no test runs it. See bench/README.md.
//   --sqlmesh PATH  the peer's program        --only NAME[,NAME]  some measurements
//   --runs N        of each (5)               --peer-runs N       of SQLMesh's, fewer (--runs)
//   --profile FOLDER    CPU profiles of Weir's plans

import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, Measurement } from "./bench.ts";
import { openBenchServer } from "./bench-server.ts";
import type { Figure } from "./figure.ts";
import { measureClosure } from "./figures/closure.ts";
import { measureJournal } from "./figures/journal.ts";
import { measureLoad } from "./figures/load.ts";
import { measureApply, measurePlan } from "./figures/plan.ts";
import { measureShapes } from "./figures/shapes.ts";
import { measureStart } from "./figures/start.ts";
import { bundleInside } from "./inside/bundle-inside.ts";
import { describeMachine, readLoad } from "./measure/machine.ts";
import { printFigure, printFigures } from "./print-figures.ts";
import { sqlmesh, weir } from "./tools.ts";

const measurements: Readonly<Record<string, Measurement>> = {
  start: measureStart,
  closure: measureClosure,
  journal: measureJournal,
  shapes: measureShapes,
  load: measureLoad,
  apply: measureApply,
  plan: measurePlan,
};

const { values } = parseArgs({
  options: {
    sqlmesh: { type: "string" },
    only: { type: "string" },
    runs: { type: "string", default: "5" },
    "peer-runs": { type: "string" },
    profile: { type: "string" },
  },
});

const names = values.only?.split(",") ?? Object.keys(measurements);
const unknown = names.filter((name) => measurements[name] === undefined);
if (unknown.length > 0) throw new Error(`There is no measurement ${unknown.join(", ")}.`);

const results = resolve(import.meta.dirname, "../.cache/bench");
const folder = join(tmpdir(), `weir-bench-projects-${randomBytes(6).toString("hex")}`);
mkdirSync(folder, { recursive: true });
mkdirSync(results, { recursive: true });
await bundleInside();
const server = await openBenchServer();
try {
  const profile = values.profile === undefined ? null : resolve(values.profile);
  const peer = sqlmesh(server, values.sqlmesh === undefined ? null : resolve(values.sqlmesh));
  const runs = Number(values.runs);
  const peerRuns = Math.min(runs, Number(values["peer-runs"] ?? runs));
  const bench: Bench = { server, weir: weir(server, profile), peer, folder, runs, peerRuns };
  const versions = [`Weir ${bench.weir.version}`, ...(peer === null ? [] : [`SQLMesh ${peer.version}`])];
  const about = `${describeMachine()}; ${versions.join(", ")}, PostgreSQL ${server.version}, Node ${process.versions.node}`;
  process.stderr.write(`${about}; load at the start ${readLoad().toFixed(1)}\n`);
  const figures: Figure[] = [];
  for (const name of names) {
    await measurements[name]?.(bench, (figure) => {
      figures.push(figure);
      process.stderr.write(`${printFigure(figure)}\n`);
    });
  }
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(join(results, "figures.json"), `${JSON.stringify({ date, about, figures }, null, 2)}\n`);
  process.stdout.write(`${date}; ${about}\n\n${printFigures(figures)}\n`);
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
