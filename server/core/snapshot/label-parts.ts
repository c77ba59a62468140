import { canonicalJson, type Json } from "../base/hash.ts";
import { compareText } from "../base/relation-name.ts";
import type { Model } from "../model/model.ts";
import { modelKey } from "../model/model-name.ts";
import { propertiesOf } from "./definition-parts.ts";

type Parts = { readonly [part: string]: Json };

/** What the object takes as it stands, by part. Grants are a label in the header, and GRANT in the warehouse. */
export function inPlaceParts(model: Model): Parts {
  const { indexes, ...storage } = propertiesOf(model, "in_place");
  return {
    indexes: Array.isArray(indexes) ? [...indexes].sort(compareText) : (indexes ?? []),
    storage,
    description: model.metadata.description,
    columnDescriptions: model.metadata.columnDescriptions,
    grants: model.metadata.other[GRANTS] ?? null,
  };
}

/** What no server ever hears of, by property. Names that the query itself reads are in its definition as well. */
export function metadataParts(model: Model): Parts {
  const { owner, tags, cron, cronTz, start, end, other } = model.metadata;
  const { [GRANTS]: _, ...labels } = other;
  const virtual = Object.entries(model.virtualProperties).map(([key, value]) => [key.toLowerCase(), value] as const);
  return {
    ...labels,
    owner,
    tags: [...new Set(tags)].sort(compareText),
    cron,
    cron_tz: cronTz,
    start,
    end,
    depends_on: [...new Set(model.references.map((reference) => modelKey(reference.relation)))].sort(compareText),
    dialect: model.dialect,
    virtual_properties: Object.fromEntries(virtual),
  };
}

/** Names of the parts that differ; sorted. */
export function differingParts(before: Parts, after: Parts): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !sameJson(before[name] ?? null, after[name] ?? null)).sort(compareText);
}

export function sameJson(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

const GRANTS = "grants";
