import { hashText } from "../../server/core/base/hash.ts";
import { relationName } from "../../server/core/base/relation-name.ts";
import type { Environment, KnownVersion, PromotedModel } from "../../server/core/environment/environment.ts";
import type { ModelKey } from "../../server/core/model/model-name.ts";
import type { Action } from "../../server/core/plan/action.ts";
import type { Plan, PlanContext, PlanEffects } from "../../server/core/plan/plan.ts";
import { sealPlan } from "../../server/core/plan/plan-codec.ts";
import type { Decision } from "../../server/core/review/review.ts";
import type { Snapshot } from "../../server/core/snapshot/snapshot.ts";

/** The smallest values that state stores, each with what its test is about. */

export const AT = "2026-01-02T03:04:05.678Z";

export function snapshotOf(name: string, text = `SELECT 1 AS ${name}`): Snapshot {
  return {
    id: hashText(`${name}/${text}`),
    format: "1",
    definition: hashText(text),
    content: hashText(text),
    inPlace: hashText(""),
    metadata: hashText(""),
    model: {
      key: `shop.${name}`,
      name: { schema: "shop", name },
      kind: { kind: "view" },
      dialect: "postgres",
      path: `models/${name}.sql`,
      text,
      query: { expanded: text, place: { path: `models/${name}.sql`, line: 1, column: 1 } },
      preStatements: [],
      postStatements: [],
      columns: null,
      partitionedBy: [],
      metadata: {
        owner: null,
        description: null,
        columnDescriptions: {},
        tags: [],
        cron: null,
        cronTz: null,
        start: null,
        end: null,
        stamp: null,
        other: {},
      },
      physicalProperties: {},
      virtualProperties: {},
      references: [],
    },
    parents: [],
  };
}

export function versionOf(name: string, version: string, changes: Partial<KnownVersion> = {}): KnownVersion {
  return {
    project: "shop",
    model: `shop.${name}`,
    lookupKey: hashText(`key of ${name} ${version}`),
    version,
    kind: "view",
    partitionedBy: [],
    relation: relationName("sqlmesh__shop", `shop__${name}__${version}`),
    definition: hashText(name),
    content: hashText(name),
    columns: [{ name: "id", type: "integer", collation: null }],
    pristine: true,
    filled: true,
    preview: false,
    owner: null,
    usedBy: [],
    ...changes,
  };
}

export function promotedOf(name: string, version: string, snapshot = snapshotOf(name)): PromotedModel {
  return {
    model: `shop.${name}`,
    snapshot: snapshot.id,
    version,
    relation: relationName("sqlmesh__shop", `shop__${name}__${version}`),
    view: relationName("shop", name),
    columns: [{ name: "id", type: "integer", collation: null }],
    served: ["id"],
  };
}

export function actionOf(id: string, model: ModelKey): Action {
  return {
    id,
    kind: "create_view",
    stage: "create",
    layer: "physical",
    target: { schema: "shop", name: id, type: "view" },
    model,
    because: model,
    strategy: null,
    whyNotLower: [],
    statements: [],
    guards: [],
    hazards: [],
    downtime: "none",
    reversible: true,
    artefact: null,
  };
}

export interface PlanParts {
  readonly target?: Partial<PlanEffects["target"]>;
  readonly effects?: Partial<PlanEffects>;
  readonly context?: Partial<PlanContext>;
}

export function planOf({ target = {}, effects = {}, context = {} }: PlanParts = {}): Plan {
  return sealPlan(
    {
      target: {
        project: "shop",
        environment: "prod",
        gateway: "local",
        engine: "postgres",
        database: "warehouse",
        promotion: 0,
        submission: 1,
        ...target,
      },
      source: hashText("files"),
      options: { allowDestructive: [], accept: [], replaceProject: false },
      base: [],
      changes: [],
      snapshots: [],
      versions: [],
      actions: [],
      backfills: [],
      promotion: [],
      dependents: [],
      captured: [],
      hazards: [],
      blockers: [],
      units: [],
      ...effects,
    },
    {
      now: AT,
      tool: "weir test",
      author: "ilse",
      folder: "/srv/shop",
      warnings: [],
      lineage: [],
      estimates: {},
      ...context,
    },
  );
}

export function environmentOf(plan: Plan, models: readonly PromotedModel[] = []): Environment {
  const { project, environment, promotion } = plan.effects.target;
  return { project, name: environment, promotion: promotion + 1, planId: plan.id, promotedAt: AT, models };
}

export function decisionOn(plan: Plan, changes: Partial<Decision> = {}): Decision {
  const units = plan.effects.units.map((unit) => unit.digest);
  return {
    planId: plan.id,
    digest: plan.digest,
    units,
    verdict: "approve",
    by: "bea",
    at: AT,
    reason: null,
    how: "review",
    ...changes,
  };
}
