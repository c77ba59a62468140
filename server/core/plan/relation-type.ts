import { type KindTag, kindCapabilities } from "../model/model-kind.ts";

type Physical = "view" | "materialized_view" | "table";

const words: Readonly<
  Record<Physical, { readonly people: string; readonly sql: "VIEW" | "MATERIALIZED VIEW" | "TABLE" }>
> = {
  view: { people: "view", sql: "VIEW" },
  materialized_view: { people: "materialized view", sql: "MATERIALIZED VIEW" },
  table: { people: "table", sql: "TABLE" },
};

/** The type of a kind's physical object in pg_identify_object's words. */
export function relationType(kind: KindTag): string {
  const { relation } = kindCapabilities[kind];
  return relation === null ? "relation" : words[relation].people;
}

export function sqlType(relation: Physical): "VIEW" | "MATERIALIZED VIEW" | "TABLE" {
  return words[relation].sql;
}
