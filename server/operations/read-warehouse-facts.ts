import { type RelationName, relationKey } from "../core/base/relation-name.ts";
import type { Catalog } from "../core/catalog/catalog.ts";
import { type Model, THIS_MODEL } from "../core/model/model.ts";
import type { ModelKey, ModelName } from "../core/model/model-name.ts";
import type { Project } from "../core/model/project.ts";
import type { Facts, Shape, StateFacts } from "../core/plan/facts.ts";
import { planReads } from "../core/plan/touched.ts";
import type { OutputColumn } from "../core/snapshot/output-column.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import { rewriteReferences } from "../core/sql/rewrite.ts";
import type { SqlParser } from "../core/sql/sql-parser.ts";
import type { GatewaySettings } from "../ports/project-source.ts";
import type { ShapeQuery, ShapeRequest } from "../ports/shape-reader.ts";
import type { OpenCatalog, Services } from "./services.ts";

export interface FirstFacts {
  readonly project: Project;
  readonly snapshots: ReadonlyMap<ModelKey, Snapshot>;
  readonly state: StateFacts;
  readonly environment: string;
}

/** The second step of planning's reads: the live catalog and the output columns, for what the first step found touched. */
export async function readWarehouseFacts(
  services: Pick<Services, "parser" | "shapes">,
  gateway: GatewaySettings,
  reader: OpenCatalog,
  first: FirstFacts,
): Promise<Pick<Facts, "catalog" | "shapes">> {
  const reads = planReads(first.project, first.snapshots, first.state, first.environment);
  const catalog = await reader.readCatalog(reads.catalog);
  if (reads.shapes.length === 0) return { catalog, shapes: new Map<ModelKey, Shape>() };
  const { parser } = services;
  const shapeReader = await services.shapes(gateway);
  const shadow: Shadow = { parser, aside: gateway.shadow.kind !== "embedded" };
  const shapes = await shapeReader.readShapes(shapeRequest(shadow, first, reads, catalog));
  return { catalog, shapes: shadow.aside ? withoutPositions(shapes) : shapes };
}

/**
 * Where models stand in the shadow. In the embedded server under their own names: queries go there as written, and the
 * server's positions are the author's. Anywhere else those names may be taken, by what is served: they stand aside.
 */
interface Shadow {
  readonly parser: SqlParser;
  readonly aside: boolean;
}

const ASIDE_PREFIX = "__weir_shadow_";
const BARE_MODEL_SCHEMA = "default";
const BARE_RELATION_SCHEMA = "public";
const OWN_ROWS_SCHEMA = "__weir_own_rows";

function withoutPositions(shapes: ReadonlyMap<ModelKey, Shape>): ReadonlyMap<ModelKey, Shape> {
  const blurred = [...shapes].map(([key, shape]): readonly [ModelKey, Shape] => [
    key,
    shape.ok || shape.reason !== "model" ? shape : { ...shape, offset: null },
  ]);
  return new Map(blurred);
}

function shapeRequest(
  shadow: Shadow,
  { project, state }: FirstFacts,
  reads: { readonly shapes: readonly ModelKey[]; readonly externals: readonly RelationName[] },
  catalog: Catalog,
): ShapeRequest {
  const byKey = new Map(project.models.map((model) => [model.key, model]));
  const stubs = reads.externals.flatMap((relation) => {
    const found = catalog.relations.find((each) => relationKey(each.name) === relationKey(relation));
    return found === undefined ? [] : [{ relation, columns: found.columns }];
  });
  const models = reads.shapes.flatMap((key) => byKey.get(key) ?? []);
  const undeclared = (model: Model) => model.kind.kind === "external" && model.columns === null;
  const own = models.filter(readsItself).flatMap((model) => ownRows(model, state));
  const queries = models.filter((model) => !undeclared(model)).map((model) => shapeQuery(shadow, model, byKey));
  return { stubs: [...stubs, ...own], queries };
}

function shapeQuery(shadow: Shadow, model: Model, byKey: ReadonlyMap<ModelKey, Model>): ShapeQuery {
  const parents = model.references.flatMap(({ model: key }) => (key === null || key === model.key ? [] : [key]));
  return {
    model: model.key,
    relation: shadowName(shadow, model.name),
    query: model.query === null ? null : shadowQuery(shadow, model, model.query.expanded, byKey),
    columns: model.columns,
    parents: [...new Set(parents)].filter(
      (key) => byKey.get(key)?.columns !== null || byKey.get(key)?.kind.kind !== "external",
    ),
  };
}

function shadowQuery(shadow: Shadow, model: Model, query: string, byKey: ReadonlyMap<ModelKey, Model>): string {
  return rewriteReferences(shadow.parser, query, (name) => {
    if (isOwn(name, model)) return { relation: ownRowsName(model) };
    const reference = model.references.find(
      ({ relation }) => relation.schema === name.schema && relation.name === name.name,
    );
    const parent = reference?.model == null ? undefined : byKey.get(reference.model);
    const stands = parent !== undefined && (parent.kind.kind !== "external" || parent.columns !== null);
    if (stands && (shadow.aside || name.schema === null)) return { relation: shadowName(shadow, parent.name) };
    return name.schema === null ? { relation: { schema: BARE_RELATION_SCHEMA, name: name.name } } : null;
  });
}

function readsItself(model: Model): boolean {
  return model.references.some((reference) => isOwn(reference.relation, model));
}

function isOwn(name: ModelName, model: Model): boolean {
  const same = (other: ModelName) => other.schema === name.schema && other.name === name.name;
  return same(model.name) || same(THIS_MODEL);
}

/** A model that reads its own rows can't be bound before its columns are known: declared, or as they are now. */
function ownRows(model: Model, state: StateFacts): ShapeRequest["stubs"] {
  const declared = model.columns?.map((column): OutputColumn => ({ ...column, collation: null }));
  const served = [state.environment, state.prod]
    .flatMap((environment) => environment?.models ?? [])
    .find((promoted) => promoted.model === model.key);
  const columns = declared ?? served?.columns;
  return columns === undefined ? [] : [{ relation: ownRowsName(model), columns }];
}

function ownRowsName(model: Model): RelationName {
  return { schema: OWN_ROWS_SCHEMA, name: model.key };
}

function shadowName({ aside }: Shadow, name: ModelName): RelationName {
  const schema = name.schema ?? BARE_MODEL_SCHEMA;
  return { schema: aside ? `${ASIDE_PREFIX}${schema}` : schema, name: name.name };
}
