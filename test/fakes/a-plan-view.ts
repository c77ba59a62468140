import type { ActionView, ChangeView, DependentView, PlanView } from "../../server/core/review/plan-view.ts";

type Mark = PlanView["graph"]["nodes"][number]["mark"];

/** One model of a plan in a few words; what isn't said has a believable default. */
export interface ModelSketch {
  readonly key: string;
  readonly kind?: string;
  readonly parents?: readonly string[];
  readonly mark?: Mark;
  readonly change?: ChangeView["change"];
  readonly category?: string;
  readonly reasons?: readonly string[];
  readonly path?: readonly string[];
  readonly before?: string;
  readonly after?: string;
  readonly columns?: Partial<ChangeView["columns"]>;
  readonly intervals?: number;
}

export interface OutsideSketch {
  readonly schema: string;
  readonly name: string;
  readonly type?: string;
  readonly owner?: string;
  readonly of: readonly { readonly key: string; readonly columns: readonly string[] | "unknown" }[];
  readonly fate: DependentView["fate"];
  readonly why: string;
}

export interface PlanSketch
  extends Partial<Pick<PlanView, "verdict" | "risk" | "tiles" | "hazards" | "blockers" | "warnings" | "result">> {
  readonly id: string;
  readonly digest?: string;
  readonly author?: string;
  readonly environment?: string;
  readonly now: string;
  readonly models: readonly ModelSketch[];
  readonly outside?: readonly OutsideSketch[];
}

const noColumns: ChangeView["columns"] = { added: [], removed: [], retyped: [], reordered: false };

export function aPlanView(sketch: PlanSketch): PlanView {
  const outside = sketch.outside ?? [];
  const changes = sketch.models.flatMap((model) => (model.change === undefined ? [] : [changeOf(model)]));
  const actions = sketch.models
    .flatMap(actionsOf)
    .map((action, index) => ({ ...action, id: `a${String(index + 1).padStart(2, "0")}` }));
  const count = (mark: Mark) => sketch.models.filter((model) => model.mark === mark).length;
  const recreate = outside.filter(({ fate }) => fate === "recreated").length;
  const lost = outside.filter(({ fate }) => fate === "lost").length;
  const filled = sketch.models.filter(({ intervals }) => intervals !== undefined);
  const intervals = filled.reduce((sum, model) => sum + (model.intervals ?? 0), 0);
  const counts = { create: count("create"), replace: count("replace"), drop: count("drop") };
  return {
    format: 1,
    id: sketch.id,
    digest:
      sketch.digest ?? `${sketch.id.replace(/\W/g, "")}4c1e8f2a90f33d17be20c4151ac90e2`.padEnd(64, "0").slice(0, 64),
    result:
      sketch.result ?? (changes.length === 0 ? "empty" : (sketch.blockers ?? []).length > 0 ? "blocked" : "applicable"),
    state: "open",
    now: sketch.now,
    tool: "weir 0.1.0",
    author: sketch.author ?? "ilse",
    project: "shop",
    environment: sketch.environment ?? "prod",
    gateway: "pg",
    engine: "postgres",
    options: {},
    base: [{ key: `environment:${sketch.environment ?? "prod"}`, hash: "a90f33d1" }],
    summary: {
      ...counts,
      recreate,
      recreateUnmanaged: recreate,
      lost,
      intervals,
      models: filled.length,
      line:
        changes.length === 0
          ? "No changes. prod matches the project."
          : `Plan: ${counts.create} to create, ${counts.replace} to replace, ${counts.drop} to drop, ${recreate} to recreate (${recreate} unmanaged), ${lost} lost.${intervals > 0 ? ` Backfill: ${intervals} intervals in ${filled.length} models.` : ""}`,
    },
    verdict: sketch.verdict ?? "Safe to apply: nothing outside the project is touched",
    risk: sketch.risk ?? { level: "low", rule: "additive and reversible" },
    tiles: sketch.tiles ?? {
      downtime: {
        headline: "0 s",
        text: "no reader gets an error",
        detail: "Switched in one transaction, locks wait 250 ms at most",
        watch: false,
      },
      data: {
        headline: `${filled.length}`,
        text: "tables to fill",
        detail: "Duration unknown: never measured here",
        watch: false,
      },
      outside: {
        headline: `${outside.length}`,
        text: "objects depend on what changes",
        detail: "All of them kept as they are",
        watch: false,
      },
      undo: {
        headline: "Repoint",
        text: "to the versions of now",
        detail: "Old versions stay for 7 days after the run",
        watch: false,
      },
    },
    changes,
    units: changes.map((change) => ({
      digest: `u${change.model}`,
      model: change.model,
      actions: actions.filter((action) => action.model === change.model).map((action) => action.id),
    })),
    actions,
    dependents: outside.map((each) => ({
      object: { schema: each.schema, name: each.name, type: each.type ?? "view" },
      owner: each.owner ?? "bi_owner",
      managed: false,
      of: each.of.map(({ key, columns }) => ({ object: { ...parts(key), type: "view" }, columns })),
      fate: each.fate,
      strategy: null,
      why: each.why,
    })),
    backfills: filled.map((model) => ({
      model: model.key,
      kind: model.kind ?? "FULL",
      intervals: [],
      batches: model.intervals ?? 0,
      estimate: null,
    })),
    audits: sketch.models
      .filter(({ mark }) => mark === "create" || mark === "replace")
      .slice(0, 3)
      .map(({ key }) => ({
        model: key,
        name: "not_null(id)",
        blocking: true,
        when: "before promotion",
      })),
    hazards: sketch.hazards ?? [],
    blockers: sketch.blockers ?? [],
    warnings: sketch.warnings ?? [],
    graph: {
      nodes: [
        ...sketch.models.map((model) => ({
          ...inQuotes(model.key),
          id: idOf(model.key, sketch.models),
          kind: isSource(model) ? "source" : (model.kind ?? "VIEW"),
          managed: !isSource(model),
          owner: null,
          mark: model.mark ?? null,
          edited: model.change === "modified" || model.change === "added" || model.change === "metadata",
        })),
        ...outside.map((each) => ({
          id: `${each.type ?? "view"} ${each.schema}.${each.name}`,
          label: each.name,
          schema: each.schema,
          kind: each.type ?? "view",
          managed: false,
          owner: each.owner ?? "bi_owner",
          mark: markOf(each.fate),
          edited: false,
        })),
      ],
      edges: [
        ...sketch.models.flatMap((model) =>
          (model.parents ?? []).map((from) => ({ from: idOf(from, sketch.models), to: model.key, certain: true })),
        ),
        ...outside.flatMap((each) =>
          each.of.map(({ key, columns }) => ({
            from: key,
            to: `${each.type ?? "view"} ${each.schema}.${each.name}`,
            certain: columns !== "unknown",
          })),
        ),
      ],
    },
  };
}

function isSource({ kind }: ModelSketch): boolean {
  return kind === "EXTERNAL";
}

function idOf(key: string, models: readonly ModelSketch[]): string {
  return models.some((model) => model.key === key && isSource(model)) ? `source ${key}` : key;
}

/** The two parts of a key as it spells them. */
function inQuotes(key: string): { readonly schema: string; readonly label: string } {
  const found = /^("[^"]*"|[^.]*)\.(.*)$/.exec(key);
  return { schema: found?.[1] ?? "default", label: found?.[2] ?? key };
}

function markOf(fate: DependentView["fate"]): Mark {
  const marks = { kept: "kept", replaced: "replace", recreated: "recreate", blocked: "blocked", lost: "lost" } as const;
  return marks[fate];
}

function parts(key: string): { readonly schema: string; readonly name: string } {
  const found = /^("[^"]*"|[^.]*)\.(.*)$/.exec(key);
  const bare = (text: string) => text.replace(/^"(.*)"$/, "$1");
  return { schema: bare(found?.[1] ?? ""), name: bare(found?.[2] ?? key) };
}

function changeOf(model: ModelSketch): ChangeView {
  const mark = model.mark ?? "change";
  const path = `models/${parts(model.key).schema}/${parts(model.key).name}.sql`;
  return {
    model: model.key,
    kind: model.kind ?? "VIEW",
    change: model.change ?? "modified",
    mark: mark === "recreate" || mark === "lost" || mark === "blocked" || mark === "kept" ? "replace" : mark,
    category: model.category ?? null,
    row: 4,
    reasons: model.reasons ?? [],
    path: model.path ?? [model.key],
    columns: { ...noColumns, ...model.columns },
    previous: model.before === undefined ? null : { version: "a90f33d1", text: model.before, path },
    current: model.after === undefined ? null : { version: "7be20c41", text: model.after, path },
  };
}

function actionsOf(model: ModelSketch): Omit<ActionView, "id">[] {
  const { schema, name } = parts(model.key);
  const physical = {
    schema: `sqlmesh__${schema}`,
    name: `${schema}__${name}__7be20c41`,
    type: model.kind === "VIEW" ? "view" : "table",
  };
  const virtual = { schema, name, type: "view" };
  const common = {
    model: model.key,
    because: model.path?.at(-1) ?? model.key,
    whyNotLower: [],
    hazards: [],
    reversible: true,
  };
  const body = model.after?.replace(/^[\s\S]*?\);\n*/, "") ?? `SELECT * FROM ${model.parents?.[0] ?? "raw.source"}`;
  const statement = (sql: string, lock: string | null) => ({
    sql,
    lock,
    lockTimeoutMs: lock === null ? null : 250,
    statementTimeoutMs: 60_000,
  });
  const build: Omit<ActionView, "id">[] =
    model.kind === "VIEW" || model.kind === undefined
      ? [
          {
            ...common,
            kind: "create_view",
            title: `create view ${physical.schema}.${physical.name}`,
            stage: "create",
            layer: "physical",
            target: physical,
            strategy: null,
            downtime: "none",
            statements: [statement(`CREATE VIEW "${physical.schema}"."${physical.name}" AS\n${body}`, null)],
          },
        ]
      : [
          {
            ...common,
            kind: "create_table",
            title: `create table ${physical.schema}.${physical.name}`,
            stage: "create",
            layer: "physical",
            target: physical,
            strategy: null,
            downtime: "none",
            statements: [
              statement(
                `CREATE TABLE "${physical.schema}"."${physical.name}" (\n  id integer,\n  amount numeric(12,2)\n)`,
                null,
              ),
            ],
          },
          {
            ...common,
            kind: "fill_table",
            title: `fill table ${physical.schema}.${physical.name}`,
            stage: "fill",
            layer: "physical",
            target: physical,
            strategy: null,
            downtime: "none",
            statements: [statement(`INSERT INTO "${physical.schema}"."${physical.name}"\n${body}`, null)],
          },
        ];
  const replace = `CREATE OR REPLACE VIEW "${schema}"."${name}" (id, name, group_id)\nAS SELECT id, name, group_id FROM "${physical.schema}"."${physical.name}"`;
  if (model.mark === "drop") {
    return [
      {
        ...common,
        kind: "drop_virtual_view",
        title: `drop view ${model.key}`,
        stage: "promotion",
        layer: "virtual",
        target: virtual,
        strategy: "drop",
        downtime: "none",
        reversible: false,
        statements: [statement(`DROP VIEW "${schema}"."${name}" RESTRICT`, "ACCESS EXCLUSIVE")],
      },
    ];
  }
  if (model.mark === "create" || model.mark === "replace") {
    return [
      ...build,
      {
        ...common,
        kind: model.mark === "create" ? "create_virtual_view" : "replace_virtual_view",
        title: `${model.mark === "create" ? "create" : "replace"} view ${model.key}`,
        stage: "promotion",
        layer: "virtual",
        target: virtual,
        strategy: model.mark === "create" ? "create" : "replace",
        downtime: model.mark === "create" ? "none" : "brief-lock",
        statements: [
          statement(
            model.mark === "create" ? replace.replace("CREATE OR REPLACE", "CREATE") : replace,
            model.mark === "create" ? null : "ACCESS EXCLUSIVE",
          ),
        ],
      },
    ];
  }
  return [];
}
