import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import { type RelationName, relationKey } from "../core/base/relation-name.ts";
import type { Catalog, CatalogRelation, ClosureMember } from "../core/catalog/catalog.ts";
import type { Environment, PromotedModel } from "../core/environment/environment.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { ProjectPlace, Services } from "./services.ts";
import { unwrap } from "./unwrap.ts";

export interface InspectedEnvironment {
  readonly environment: Environment;
  readonly objects: readonly InspectedObject[];
}

/** One model of an environment: what state expects, and what the warehouse has under those names. */
export interface InspectedObject {
  readonly promoted: PromotedModel;
  readonly kind: string;
  readonly description: string | null;
  readonly owner: string | null;
  /** `missing`: the virtual view or the physical object isn't there. Never so for models without relations. */
  readonly found: "present" | "missing" | "none";
  readonly missing: readonly RelationName[];
  readonly estimatedRows: number | null;
  readonly bytes: number | null;
  /** What hangs on the virtual view, by any owner. */
  readonly dependents: readonly ClosureMember[];
}

/** @throws AppError `environment_unknown`, and whatever reading settings, state or the catalog ends with. */
export async function inspectEnvironment(
  services: Pick<Services, "projects" | "state" | "catalog">,
  place: ProjectPlace,
  name: string,
): Promise<InspectedEnvironment> {
  const settings = unwrap(await services.projects.readSettings(place));
  const environments = await services.state.listEnvironments(settings.name);
  const environment = environments.find((each) => each.name === name);
  if (environment === undefined) throw new AppError(problem("environment_unknown", { environment: name }));
  const snapshots = await services.state.readSnapshots(environment.models.map((each) => each.snapshot));
  const views = environment.models.flatMap((each) => (each.view === null ? [] : [each.view]));
  const tables = environment.models.flatMap((each) => (each.relation === null ? [] : [each.relation]));
  const reader = await services.catalog(settings.gateway);
  try {
    const catalog = await reader.readCatalog({
      project: settings.name,
      environment: name,
      schemas: [],
      relations: [...views, ...tables],
      closures: views,
    });
    return {
      environment,
      objects: environment.models.map((each) => inspect(each, snapshots.get(each.snapshot), catalog)),
    };
  } finally {
    await reader.close();
  }
}

function inspect(promoted: PromotedModel, snapshot: Snapshot | undefined, catalog: Catalog): InspectedObject {
  const expected = [promoted.view, promoted.relation].filter((each) => each !== null);
  const missing = expected.filter((each) => find(catalog, each) === undefined);
  const physical = promoted.relation === null ? undefined : find(catalog, promoted.relation);
  const view = promoted.view === null ? null : relationKey(promoted.view);
  return {
    promoted,
    kind: snapshot?.model.kind.kind ?? "unknown",
    description: snapshot?.model.metadata.description ?? null,
    owner: snapshot?.model.metadata.owner ?? null,
    found: expected.length === 0 ? "none" : missing.length === 0 ? "present" : "missing",
    missing,
    estimatedRows: physical?.estimatedRows ?? null,
    bytes: physical?.bytes ?? null,
    dependents: catalog.closures.find((each) => relationKey(each.root) === view)?.members ?? [],
  };
}

function find(catalog: Catalog, name: RelationName): CatalogRelation | undefined {
  const key = relationKey(name);
  return catalog.relations.find((each) => relationKey(each.name) === key);
}
