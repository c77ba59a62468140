import { compareText } from "../base/relation-name.ts";
import { createSchemaStatements } from "../engine/postgres/create-schema.ts";
import { INTERNAL_SCHEMA, internalSchemaStatements } from "../engine/postgres/internal-schema.ts";
import { draftAction } from "./draft-action.ts";
import type { DraftAction, Planning } from "./planning.ts";

/** Schemas that the other actions make something in and that aren't there; and, once a warehouse, our own. */
export function schemaActions(planning: Planning, others: readonly DraftAction[]): readonly DraftAction[] {
  return missingSchemas(planning, others).map((schema) =>
    draftAction(null, {
      kind: "create_schema",
      stage: "schemas",
      layer: others.some((action) => action.layer === "virtual" && action.target.schema === schema)
        ? "virtual"
        : "physical",
      target: { schema, name: schema, type: "schema" },
      statements: createSchemaStatements(schema, planning.timeouts),
    }),
  );
}

export function internalActions(planning: Planning): readonly DraftAction[] {
  if (planning.facts.catalog.internalReady) return [];
  return [
    draftAction(null, {
      kind: "set_up_internal",
      stage: "schemas",
      layer: "internal",
      target: { schema: INTERNAL_SCHEMA, name: INTERNAL_SCHEMA, type: "schema" },
      statements: internalSchemaStatements(),
    }),
  ];
}

export function missingSchemas(planning: Planning, others: readonly DraftAction[]): readonly string[] {
  const present = new Set(planning.facts.catalog.schemas.map((schema) => schema.name));
  const needed = new Set(others.filter((action) => makes.has(action.kind)).map((action) => action.target.schema));
  return [...needed].filter((schema) => !present.has(schema)).sort(compareText);
}

/** Kinds after which something is in a schema that wasn't there before. */
export const makes: ReadonlySet<DraftAction["kind"]> = new Set([
  "create_view",
  "create_materialized_view",
  "create_table",
  "create_virtual_view",
  "recreate_virtual_view",
]);
