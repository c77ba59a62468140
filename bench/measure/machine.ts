import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg, totalmem } from "node:os";

/** `2 cores, 24 GiB`: all that is told of a machine. */
export function describeMachine(): string {
  return `${availableParallelism()} cores, ${Math.ceil(totalmem() / 2 ** 30)} GiB`;
}

/** Processes that wanted a core, on average over the last minute: on two cores, above 2 means that everything waited. */
export function readLoad(): number {
  return loadavg()[0] ?? 0;
}

/**
 * CPU time of a process and of the children it has waited for, in ms. Of a postmaster that is the whole server, but for
 * sessions that are still open.
 */
export function readProcessCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses and may hold anything, spaces among it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1_000) / ticksPerSecond();
}

let ticks: number | null = null;

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}
