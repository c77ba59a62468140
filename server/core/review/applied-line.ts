import type { SummaryView } from "./plan-view.ts";

/** `Applied: 3 created, 5 replaced, 0 dropped, 0 lost in 6 min 12 s.` The plan's line, done. `ms` is the whole run. */
export function appliedLine({ create, replace, drop, recreate, lost }: SummaryView, ms: number): string {
  const counts = [
    ...(create === 0 ? [] : [`${create} created`]),
    ...(replace === 0 ? [] : [`${replace} replaced`]),
    `${drop} dropped`,
    ...(recreate === 0 ? [] : [`${recreate} recreated`]),
    `${lost} lost`,
  ];
  return `Applied: ${counts.join(", ")} in ${durationText(ms)}.`;
}

/** Two units at most, the way people say it: `0.4 s`, `12 s`, `6 min 12 s`, `3 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 10_000) return `${(Math.max(ms, 0) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
