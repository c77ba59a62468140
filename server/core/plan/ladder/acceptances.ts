import { compareText } from "../../base/relation-name.ts";
import type { ObjectName } from "../../catalog/catalog.ts";
import { displayObject } from "../../catalog/display-object.ts";
import type { BlockerCode } from "../hazards/hazard.ts";

/** Losses that somebody took on, `CODE:schema.object` each, and which of them were asked for. */
export interface Acceptances {
  readonly accepts: (code: BlockerCode, object: ObjectName) => boolean;
  /** Those that nothing asked for, sorted. */
  readonly unmatched: () => readonly string[];
}

export function acceptanceText(code: BlockerCode, object: ObjectName): string {
  return `${code}:${displayObject(object)}`;
}

export function makeAcceptances(texts: readonly string[]): Acceptances {
  const given = new Set(texts.map((text) => text.trim()));
  const matched = new Set<string>();
  return {
    accepts: (code, object) => {
      const text = acceptanceText(code, object);
      if (!given.has(text)) return false;
      matched.add(text);
      return true;
    },
    unmatched: () => [...given].filter((text) => !matched.has(text)).sort(compareText),
  };
}
