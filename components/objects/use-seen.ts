"use client";

import { useCallback, useMemo, useSyncExternalStore } from "react";

const changed = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  changed.add(listener);
  addEventListener("storage", listener);
  return () => {
    changed.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** Which rows this person has marked as seen, for exactly this digest, in this browser only. */
export function useSeen(digest: string) {
  const key = `weir.seen.${digest}`;
  const stored = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(key) ?? "[]",
    () => "[]",
  );
  const seen = useMemo(() => new Set<string>(parse(stored)), [stored]);
  const toggle = useCallback(
    (id: string) => {
      const next = new Set(parse(localStorage.getItem(key) ?? "[]"));
      if (!next.delete(id)) next.add(id);
      localStorage.setItem(key, JSON.stringify([...next]));
      for (const listener of changed) listener();
    },
    [key],
  );
  return { seen, toggle } as const;
}

function parse(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
