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
  const shapeReader = await services.shapes(gateway);
  const shapes = await shapeReader.readShapes(shapeRequest(services.parser, first, reads, catalog));
  return { catalog, shapes };
}

/** Where relations stand in the shadow: models under their own names, bare names where the server would look for them. */
const BARE_MODEL_SCHEMA = "default";
const BARE_RELATION_SCHEMA = "public";
const OWN_ROWS_SCHEMA = "__weir_own_rows";

function shapeRequest(
  parser: SqlParser,
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
  const queries = models.filter((model) => !undeclared(model)).map((model) => shapeQuery(parser, model, byKey));
  return { stubs: [...stubs, ...own], queries };
}

function shapeQuery(parser: SqlParser, model: Model, byKey: ReadonlyMap<ModelKey, Model>): ShapeQuery {
  const parents = model.references.flatMap(({ model: key }) => (key === null || key === model.key ? [] : [key]));
  return {
    model: model.key,
    relation: shadowName(model.name),
    query: model.query === null ? null : shadowQuery(parser, model, model.query.expanded, byKey),
    columns: model.columns,
    parents: [...new Set(parents)].filter(
      (key) => byKey.get(key)?.columns !== null || byKey.get(key)?.kind.kind !== "external",
    ),
  };
}

/** Names with a schema stay as written, so that the server's positions in its messages are the author's. */
function shadowQuery(parser: SqlParser, model: Model, query: string, byKey: ReadonlyMap<ModelKey, Model>): string {
  return rewriteReferences(parser, query, (name) => {
    if (isOwn(name, model)) return { relation: ownRowsName(model) };
    if (name.schema !== null) return null;
    const reference = model.references.find(
      (each) => each.relation.schema === null && each.relation.name === name.name,
    );
    const parent = reference?.model === undefined || reference.model === null ? undefined : byKey.get(reference.model);
    if (parent !== undefined && parent.kind.kind !== "external") return { relation: shadowName(parent.name) };
    return { relation: { schema: BARE_RELATION_SCHEMA, name: name.name } };
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

function shadowName(name: ModelName): RelationName {
  return { schema: name.schema ?? BARE_MODEL_SCHEMA, name: name.name };
}
