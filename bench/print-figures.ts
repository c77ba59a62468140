import type { Figure } from "./figure.ts";
import type { Cost } from "./measure/cost.ts";

/** Two tables in Markdown: what has a peer beside it, and what has a limit over it. */
export function printFigures(figures: readonly Figure[]): string {
  const peers = figures.filter((figure) => figure.peer !== null);
  const parts = figures.filter((figure) => figure.part !== null);
  const sections = [
    ...(peers.length === 0 ? [] : [printPeers(peers)]),
    ...(parts.length === 0 ? [] : [printLimits(parts)]),
    ...(peers.length > 0 ? [] : [printAlone(figures.filter((figure) => figure.part === null))]),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

export function printFigure(figure: Figure): string {
  const { name, weir, peer, part, runs, load } = figure;
  const beside = peer === null ? "" : `; SQLMesh ${costText(peer)}; ratio ${ratio(weir.wallMs, peer.wallMs)}`;
  const within =
    part === null ? "" : `; of that ${time(part.ms)}, ${time(part.cpuMs)} own CPU (limit ${time(part.limitMs)})`;
  return `${name}: ${costText(weir)}${within}${beside} [${runs} runs, load ${load.map(oneDigit).join("–")}]`;
}

function printPeers(figures: readonly Figure[]): string {
  const rows = figures.flatMap(({ name, weir, peer, runs, peerRuns, load }) => {
    if (peer === null) return [];
    const columns = columnsBeside.map(
      ([of, print]) => `${print(of(weir))} : ${print(of(peer))} = **${ratio(of(weir), of(peer))}**`,
    );
    return [row(name, ...columns, `${runs} : ${peerRuns}`, load.map(oneDigit).join("–"))];
  });
  return [
    row("Weir : SQLMesh", "wall", "CPU", "peak memory", "CPU, the server's included", "runs", "load"),
    row("---", "---", "---", "---", "---", "---", "---"),
    ...rows,
  ].join("\n");
}

const columnsBeside: readonly (readonly [(cost: Cost) => number, (value: number) => string])[] = [
  [(cost) => cost.wallMs, time],
  [(cost) => cost.cpuMs, time],
  [(cost) => cost.peakMiB, (value) => `${Math.round(value)} MiB`],
  // Weir has the server find out types: what it saves itself so must not be hidden.
  [(cost) => cost.cpuMs + cost.serverCpuMs, time],
];

function printLimits(figures: readonly Figure[]): string {
  const rows = figures.flatMap(({ name, weir, part, runs, load }) => {
    if (part === null) return [];
    const whole = [time(weir.wallMs), time(weir.cpuMs), `${Math.round(weir.peakMiB)} MiB`];
    const against = `${time(part.limitMs)} (${part.limit})`;
    const measured = [
      `${time(part.ms)} = **${ratio(part.ms, part.limitMs)}**`,
      `${time(part.cpuMs)} = **${ratio(part.cpuMs, part.limitMs)}**`,
    ];
    return [row(name, against, ...measured, ...whole, String(runs), load.map(oneDigit).join("–"))];
  });
  return [
    row("Weir alone", "limit", "wall", "own CPU", "whole process: wall", "CPU", "peak memory", "runs", "load"),
    row("---", "---", "---", "---", "---", "---", "---", "---", "---"),
    ...rows,
  ].join("\n");
}

/** Where there is no peer. */
function printAlone(figures: readonly Figure[]): string {
  return figures.map((figure) => `- ${printFigure(figure)}`).join("\n");
}

function costText({ wallMs, cpuMs, peakMiB, serverCpuMs }: Cost): string {
  return `${time(wallMs)} wall, ${time(cpuMs)} CPU, ${Math.round(peakMiB)} MiB, server ${time(serverCpuMs)}`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function time(ms: number): string {
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

function ratio(own: number, other: number): string {
  if (other <= 0) return "–";
  return (own / other).toFixed(own / other < 0.1 ? 3 : 2);
}

function oneDigit(value: number): string {
  return value.toFixed(1);
}
