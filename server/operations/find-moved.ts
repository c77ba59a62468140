import { relationKey } from "../core/base/relation-name.ts";
import type { Catalog, Closure } from "../core/catalog/catalog.ts";
import type { KnownVersion } from "../core/environment/environment.ts";
import type { Action } from "../core/plan/action.ts";
import { baseRequest, movedFacts } from "../core/plan/base-facts.ts";
import type { StateFacts } from "../core/plan/facts.ts";
import type { Plan } from "../core/plan/plan.ts";
import type { CatalogReader } from "../ports/warehouse.ts";
import type { Services } from "./services.ts";

/**
 * Reads again what the plan relied on. What the run's own earlier attempts have done (`done`: ids of actions) isn't
 * movement: objects that they made or changed are left out, as is what hangs on others by them.
 *
 * @returns what is no longer as it was, as keys of facts; empty when the plan still holds.
 */
export async function findMoved(
  services: Pick<Services, "state">,
  plan: Plan,
  warehouse: CatalogReader,
  done: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { target, base, promotion, changes } = plan.effects;
  const models = [...new Set([...promotion.map((each) => each.model), ...changes.map((change) => change.model)])];
  const state = await services.state.readStateFacts(target.project, target.environment, models);
  const { relations, closures } = baseRequest(base);
  const catalog = await warehouse.readCatalog({
    project: target.project,
    environment: target.environment,
    schemas: [],
    relations,
    closures,
  });
  const own = ownRelations(plan, done);
  const foreign = base.filter(
    ({ key }) =>
      !own.has(afterColon(key, "relation")) && !isOwnVersion(plan, state.versions, afterColon(key, "version")),
  );
  const moved = movedFacts(foreign, state, {
    ...catalog,
    closures: catalog.closures.map((each) => withoutOwn(each, own)),
  });
  return [
    ...otherWarehouse(plan, catalog),
    ...(await Promise.all(moved.map((fact) => nameMover(services, state, fact)))),
  ];
}

/** An environment moves by a promotion: whose it was, and by which plan, is what one wants to know next. */
async function nameMover(services: Pick<Services, "state">, state: StateFacts, fact: string): Promise<string> {
  const environments = state.prod === null ? [state.environment] : [state.environment, state.prod];
  const moved = environments.find(({ name }) => fact === `environment:${name}`);
  if (moved === undefined || moved.planId === null) return fact;
  const [run] = await services.state.listRuns({ planId: moved.planId, environment: null, limit: 1 });
  return `${fact} (promoted by ${run?.startedBy ?? "somebody"} with plan ${moved.planId}, ${moved.promotedAt})`;
}

/** The name led to another database, or to this one as it was at another time: nothing else needs to be compared then. */
function otherWarehouse(plan: Plan, catalog: Catalog): readonly string[] {
  const { database, promotion } = plan.effects.target;
  const served = catalog.environmentMarker?.promotion ?? 0;
  return [
    ...(catalog.server.database === database ? [] : [`database: ${catalog.server.database} instead of ${database}`]),
    ...(served === promotion ? [] : [`environment marker: promotion ${served} instead of ${promotion}`]),
  ];
}

/** Keys of what the run's committed actions have made or changed, indexes among them. */
function ownRelations(plan: Plan, done: ReadonlySet<string>): ReadonlySet<string> {
  const own = plan.effects.actions.filter((action) => done.has(action.id) && action.stage !== "promotion");
  return new Set(own.flatMap((action) => [relationKey(action.target), ...ownIndexes(action)]));
}

/** An index has no action of its own name: it is the one that a statement makes, always by a name in quotes. */
function ownIndexes({ target, statements }: Action): readonly string[] {
  return statements.flatMap(({ sql }) => {
    const name = NEW_INDEX.exec(sql)?.[1]?.replaceAll('""', '"');
    return name === undefined ? [] : [relationKey({ schema: target.schema, name })];
  });
}

const NEW_INDEX = /^\s*create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?"((?:[^"]|"")+)"/i;

/** On record as this plan means it to be: recorded by an earlier attempt, before it was built. */
function isOwnVersion(plan: Plan, known: readonly KnownVersion[], key: string): boolean {
  const recorded = known.filter((version) => relationKey(version.relation) === key);
  return recorded.some((version) =>
    plan.effects.versions.some(
      (planned) =>
        relationKey(planned.relation) === key &&
        planned.definition === version.definition &&
        planned.lookupKey === version.lookupKey,
    ),
  );
}

function withoutOwn(closure: Closure, own: ReadonlySet<string>): Closure {
  return { ...closure, members: closure.members.filter((member) => !own.has(relationKey(member.object))) };
}

function afterColon(key: string, kind: string): string {
  return key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : "";
}
