"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const Now = createContext(0);

/** One ticking "now" for all ages on a page. Starts at the server's, so that the first paint is the same on both sides. */
export function Clock({ start, children }: { readonly start: number; readonly children: ReactNode }) {
  const [now, setNow] = useState(start);
  useEffect(() => {
    const offset = start - Date.now();
    const timer = setInterval(() => setNow(Date.now() + Math.max(offset, 0)), 1_000);
    return () => clearInterval(timer);
  }, [start]);
  return <Now value={now}>{children}</Now>;
}

export function useNow(): number {
  return useContext(Now);
}

const steps: readonly (readonly [number, string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
];

export function ageText(ms: number): string {
  for (const [size, unit] of steps) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return "just now";
}

/** `4 min 12 s`; milliseconds below a second. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `6 min ago`, exact on hover and for machines. */
export function Ago({ at, suffix = true }: { readonly at: string; readonly suffix?: boolean }) {
  const age = ageText(useNow() - Date.parse(at));
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace("T", " ")} UTC`}>
      {age}
      {suffix && age !== "just now" ? " ago" : ""}
    </time>
  );
}

export function ClockTime({ at, millis = false }: { readonly at: string; readonly millis?: boolean }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 10)} UTC`}>
      {at.slice(11, millis ? 23 : 19)}
    </time>
  );
}
