import { compareText } from "../core/base/relation-name.ts";
import { type Environment, PROD } from "../core/environment/environment.ts";
import type { ModelKey } from "../core/model/model-name.ts";

export interface VersionUsage {
  /** Sorted. */
  readonly usedBy: readonly string[];
  readonly owner: string | null;
}

/**
 * Who serves which version, computed from the environments of one project, oldest first. Never stored: a record of its
 * own could disagree with what environments really point at.
 */
export function versionUsage(environments: readonly Environment[]): (model: ModelKey, version: string) => VersionUsage {
  const users = new Map<string, string[]>();
  for (const environment of environments) {
    for (const promoted of environment.models) {
      if (promoted.version === null) continue;
      const key = usageKey(promoted.model, promoted.version);
      users.set(key, [...(users.get(key) ?? []), environment.name]);
    }
  }
  return (model, version) => {
    const oldestFirst = users.get(usageKey(model, version)) ?? [];
    const owner = oldestFirst.includes(PROD) ? PROD : (oldestFirst[0] ?? null);
    return { usedBy: [...oldestFirst].sort(compareText), owner };
  };
}

function usageKey(model: ModelKey, version: string): string {
  return JSON.stringify([model, version]);
}
