import { resolve } from "node:path";
import type { Measurement } from "../bench.ts";
import { repeat } from "../figure.ts";
import { runMeasured } from "../measure/run-measured.ts";

const program = resolve(import.meta.dirname, "../../dist/cli/main.js");

/** The start of every command is in every other figure as well. */
export const measureStart: Measurement = async ({ folder }, report) => {
  const help = { program: process.execPath, words: [program, "--help"], folder, environment: {} };
  await runMeasured(help);
  const { outcomes: _, ...measured } = await repeat(15, async () => ({
    weir: (await runMeasured(help)).cost,
    peer: null,
  }));
  report({
    name: "`weir --help`",
    ...measured,
    part: { ms: measured.weir.wallMs, cpuMs: measured.weir.cpuMs, limitMs: 120, limit: "the design's" },
  });
};
