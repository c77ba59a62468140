import { displayIdentifier, type RelationName } from "../base/relation-name.ts";
import type { CatalogRelation, ClosureMember } from "../catalog/catalog.ts";
import { parameterText } from "../engine/postgres/storage-settings.ts";
import type { Model } from "../model/model.ts";
import { compareColumns } from "../snapshot/column-changes.ts";
import type { ColumnChanges, OutputColumn } from "../snapshot/output-column.ts";
import type { LadderObstacle } from "./action.ts";
import { ownComments } from "./comment-actions.ts";
import { type Carried, chooseRung, columnType, findCarried, servedOrder } from "./ladder/choose-rung.ts";
import { catalogRelation, closureOf, type Materialised, type Planning, sameRelation } from "./planning.ts";

/** What is to become of a model's name in the environment. */
export interface VirtualChange {
  readonly view: RelationName;
  /** As the catalog has it; null where the name is free. */
  readonly current: CatalogRelation | null;
  /** Columns as they will be served, in that order. */
  readonly columns: readonly OutputColumn[];
  readonly options: readonly string[];
  readonly manner: VirtualManner;
  readonly obstacles: readonly LadderObstacle[];
  /** Everything that hangs on the view now, but for its own rules and triggers. */
  readonly members: readonly ClosureMember[];
  readonly carried: readonly Carried[];
  /** Of the view itself, by the catalog: what it serves now against what it will serve. */
  readonly changes: ColumnChanges;
}

/**
 * `recreate`: can't be replaced in place, and nothing hangs on it. `climb`: something does, or it carries something; the
 * ladder says what becomes of that. `not_ours`: the name is another thing's.
 */
export type VirtualManner = "stay" | "create" | "replace" | "recreate" | "climb" | "not_ours";

export function findVirtualChange(planning: Planning, own: Materialised): VirtualChange | null {
  const { decision, model, next, previous } = own;
  if (next.view === null) return null;
  const current = catalogRelation(planning, next.view);
  const members = closureOf(planning, next.view).filter((member) => !isPartOf(next.view, member));
  const before = decision.previousSnapshot?.model ?? null;
  const carried = current === null ? [] : carriedBy(planning, current, before, model);
  const sameVersion = previous?.version === next.version && sameRelation(previous.view, next.view);
  const order = servedOrder(
    current?.columns.map((column) => column.name) ?? null,
    next.columns.map((column) => column.name),
    sameVersion || members.length > 0 || carried.length > 0,
  );
  const columns = order.flatMap((name) => next.columns.filter((column) => column.name === name));
  const options = nextOptions(current?.options ?? [], before, model);
  const { rung, obstacles } = chooseRung(current, columns);
  const target = sameRelation(previous?.view, next.view) && sameRelation(previous?.relation, next.relation);
  const stays = rung === "replace" && target && sameShape(current, columns) && sameTexts(current?.options, options);
  const bare = members.length === 0 && carried.length === 0;
  // A name that state doesn't know to be ours is somebody else's, whatever it looks like.
  const foreign = current !== null && !sameRelation(previous?.view, next.view);
  const manner: VirtualManner =
    rung === "not_ours" || foreign ? "not_ours" : stays ? "stay" : rung === "recreate" && !bare ? "climb" : rung;
  const changes = compareColumns(current?.columns.map(plainColumn) ?? [], columns);
  return { view: next.view, current, columns, options, manner, obstacles, members, carried, changes };
}

/** Rules, triggers and defaults of the view itself come and go with it, and are told by name in what it carries. */
function isPartOf(view: RelationName | null, { object }: ClosureMember): boolean {
  if (view === null || !["rule", "trigger", "default value"].includes(object.type)) return false;
  return object.schema === view.schema && object.name.endsWith(` on ${displayIdentifier(view.name)}`);
}

/** What a drop of a view of ours would lose; our own comments and options are set again. */
export function carriedBy(
  planning: Planning,
  view: CatalogRelation,
  ...models: readonly (Model | null)[]
): readonly Carried[] {
  const options = new Set(models.flatMap((model) => (model === null ? [] : declaredOptions(model))));
  return findCarried(view, planning.facts.catalog.server.role, { comments: ownComments(...models), options });
}

/** The options that Postgres has for views; others in `virtual_properties` belong to other engines. */
const viewOptions: ReadonlySet<string> = new Set(["check_option", "security_barrier", "security_invoker"]);

export function declaredOptions(model: Model): readonly string[] {
  return Object.keys(model.virtualProperties)
    .filter((key) => viewOptions.has(key))
    .sort()
    .map((key) => `${key}=${parameterText(model.virtualProperties[key] ?? "")}`);
}

export function unknownOptions(model: Model): readonly string[] {
  return Object.keys(model.virtualProperties)
    .filter((key) => !viewOptions.has(key))
    .sort();
}

/** What the catalog has, less what the model once set and no longer does, then what it sets now. */
function nextOptions(current: readonly string[], before: Model | null, after: Model): readonly string[] {
  const wanted = declaredOptions(after);
  const named = new Set(wanted.map(optionKey));
  const once = new Set(before === null ? [] : declaredOptions(before));
  const kept = current.filter((option) => !named.has(optionKey(option)) && !once.has(option));
  return [...kept, ...wanted].sort();
}

function optionKey(option: string): string {
  return option.split("=", 1)[0] ?? option;
}

function sameShape(current: CatalogRelation | null, columns: readonly OutputColumn[]): boolean {
  if (current === null || current.columns.length !== columns.length) return false;
  return current.columns.every((column, index) => {
    const other = columns[index];
    return other !== undefined && other.name === column.name && columnType(other) === columnType(column);
  });
}

function sameTexts(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a !== undefined && [...a].sort().join("\n") === b.join("\n");
}

function plainColumn(column: OutputColumn): OutputColumn {
  return { name: column.name, type: column.type, collation: column.collation };
}
