import {
  displayIdentifier,
  quoteIdentifier,
  quoteRelation,
  type RelationName,
  relationKey,
} from "../../../core/base/relation-name.ts";
import { assertNever } from "../../../core/base/result.ts";
import type { ObjectName } from "../../../core/catalog/catalog.ts";
import { displayObject } from "../../../core/catalog/display-object.ts";
import { WarehouseError } from "../../../core/catalog/warehouse-error.ts";
import type { Guard } from "../../../core/plan/action.ts";
import { objectKey } from "../../../core/plan/dependents.ts";
import { columnAliases, findPlaceUses, namesLookedUp, type PlaceUse } from "../../../core/sql/place-uses.ts";
import type { SqlParser, SyntaxNode } from "../../../core/sql/sql-parser.ts";
import type { Found } from "../capture/found.ts";
import { parseCaptured } from "../capture/parse-captured.ts";
import { findObjects } from "../capture/read-captures.ts";
import { type LockableRow, lockableQuery } from "../catalog/lockable-query.ts";
import { loadSqlParser } from "../sql-parser.ts";
import { NO_SQLSTATE } from "../sqlstate.ts";
import type { Timeouts } from "../timeouts.ts";
import { type GuardContext, guardFailed } from "./guard-context.ts";
import { usesOfRelationQuery } from "./uses-of-relation-query.ts";

/**
 * Proves that none of the dependents uses a column of the view by its place, in two ways, since each alone clears
 * something that it must not:
 * - their texts are read: an alias list anywhere on the view (`v AS q(x)`) makes every column of it go by place, also
 *   those that keep their names (`q(x, b)`, where `b` would be found by name);
 * - all columns are renamed in a savepoint, and whatever column the catalog says is used must then turn up by its new
 *   name. A name that a join's USING holds fast is printed as an alias list that wasn't there before, and is no place.
 *
 * @throws WarehouseError `used_by_place`, one line each
 */
export async function checkOrdinals(
  context: GuardContext,
  guard: Extract<Guard, { kind: "ordinals" }>,
  timeouts: Timeouts,
): Promise<void> {
  if (guard.dependents.length === 0) return;
  const parser = await loadSqlParser();
  const view = await readView(context, guard.view);
  const dependents = await readDependents(context, guard.dependents, view.oid, timeouts);
  const asTheyAre = dependents.map((dependent) => readText(parser, dependent));
  const byText = asTheyAre.flatMap((each) => placesInText(each, guard.view));
  if (byText.length > 0) throw usedByPlace(byText);

  const sentinels = sentinelsFor(view.columns, asTheyAre);
  const renamed = await whileRenamed(context, guard.view, view, sentinels, timeouts, () =>
    readDependents(context, guard.dependents, view.oid, timeouts),
  );
  const byProbe = asTheyAre.flatMap((each, index) =>
    placesInProbe(each, readText(parser, renamed[index] ?? each), guard.view, view.columns, sentinels),
  );
  if (byProbe.length > 0) throw usedByPlace(byProbe);
}

/** A dependent, and what the catalog says of its use of the view. */
interface Dependent extends Found {
  readonly places: readonly number[];
  readonly byRowType: boolean;
}

interface ReadDependent extends Dependent {
  readonly tree: SyntaxNode | null;
}

async function readView({ session }: GuardContext, view: RelationName): Promise<LockableRow> {
  const [row] = await session.query(lockableQuery(view));
  if (row === undefined) throw guardFailed([`${relationKey(view)} is gone`]);
  return row;
}

/** In the order of `objects`. */
async function readDependents(
  { session, within }: GuardContext,
  objects: readonly ObjectName[],
  view: number,
  timeouts: Timeouts,
): Promise<readonly Dependent[]> {
  const found = await within(timeouts, () => findObjects(session.query, objects));
  const uses = await within(timeouts, () => session.query(usesOfRelationQuery(view)));
  const byObject = new Map(found.map((each) => [objectKey(each.captured.object), each]));
  const byAddress = new Map(uses.map((use) => [`${use.catalog} ${use.oid}`, use]));
  const gone = objects.filter((object) => !byObject.has(objectKey(object)));
  if (gone.length > 0) throw guardFailed(gone.map((object) => `${named(object)} is gone`));
  return objects.flatMap((object): readonly Dependent[] => {
    const each = byObject.get(objectKey(object));
    if (each === undefined) return [];
    const use = byAddress.get(`${each.catalog} ${each.oid}`);
    return [{ ...each, places: use?.places ?? [], byRowType: use?.by_row_type ?? false }];
  });
}

function readText(parser: SqlParser, dependent: Dependent): ReadDependent {
  return { ...dependent, tree: parseCaptured(parser, dependent.captured) };
}

function placesInText({ captured, tree, byRowType }: ReadDependent, view: RelationName): readonly string[] {
  if (byRowType) return [line(captured.object, view, "it is built on the type of its rows")];
  if (tree === null) return [line(captured.object, view, "its text can't be read")];
  const [use] = findPlaceUses(tree, view);
  return use === undefined ? [] : [line(captured.object, view, placeUseText(use))];
}

function placeUseText(use: PlaceUse): string {
  switch (use.how) {
    case "column_aliases":
      return `it calls them ${displayIdentifier(use.alias)}(${use.columns.map(displayIdentifier).join(", ")})`;
    case "whole_row":
      return `it takes whole rows, as ${displayIdentifier(use.alias)}.*`;
    case "returning":
      return "what it returns is matched with them one by one";
    default:
      return assertNever(use);
  }
}

/** Names that no column has and no text holds. */
function sentinelsFor(columns: readonly string[], dependents: readonly ReadDependent[]): readonly string[] {
  const texts = [...columns, ...dependents.map((each) => JSON.stringify(each.captured))];
  for (let attempt = 0; ; attempt += 1) {
    const prefix = `__weir_place_${attempt}_`;
    if (!texts.some((text) => text.includes(prefix))) return columns.map((_, index) => `${prefix}${index + 1}`);
  }
}

/** Timeouts are set before the savepoint and not within: going back to it would take them back too, unseen. */
async function whileRenamed<T>(
  { executeText }: GuardContext,
  view: RelationName,
  row: LockableRow,
  sentinels: readonly string[],
  timeouts: Timeouts,
  work: () => Promise<T>,
): Promise<T> {
  const alter = `ALTER ${row.relkind === "m" ? "MATERIALIZED VIEW" : "VIEW"} ${quoteRelation(view)} RENAME COLUMN`;
  await executeText(`SAVEPOINT ${SAVEPOINT}`, timeouts);
  for (const [index, column] of row.columns.entries()) {
    const sentinel = quoteIdentifier(sentinels[index] ?? "");
    await executeText(`${alter} ${quoteIdentifier(column)} TO ${sentinel}`, timeouts);
  }
  const result = await work();
  await executeText(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`, timeouts);
  await executeText(`RELEASE SAVEPOINT ${SAVEPOINT}`, timeouts);
  return result;
}

const SAVEPOINT = "weir_places";

function placesInProbe(
  before: ReadDependent,
  after: ReadDependent,
  view: RelationName,
  columns: readonly string[],
  sentinels: readonly string[],
): readonly string[] {
  const { object } = before.captured;
  if (after.tree === null || before.tree === null) return [line(object, view, "its text can't be read")];
  const names = namesLookedUp(after.tree);
  const held = heldByName(columnAliases(after.tree, view), columns);
  const missing = before.places.filter((place) => !names.has(sentinels[place - 1] ?? "") && !held.has(place));
  if (missing.length === 0) return [];
  const list = missing.map((place) => displayIdentifier(columns[place - 1] ?? String(place))).sort();
  return [line(object, view, `it goes on calling ${list.join(", ")} so when renamed`)];
}

/**
 * Columns that keep the name they had in an alias list of the renamed view. No text had any such list before, or we
 * wouldn't be here: the server printed it because a join's USING needs that name.
 */
function heldByName(lists: readonly (readonly string[] | null)[], columns: readonly string[]): ReadonlySet<number> {
  const held = lists.flatMap((list) =>
    (list ?? []).flatMap((name, index) => (name === columns[index] ? [index + 1] : [])),
  );
  return new Set(held);
}

function line(object: ObjectName, view: RelationName, how: string): string {
  return `${named(object)} uses columns of ${relationKey(view)} by their place: ${how}`;
}

function named(object: ObjectName): string {
  return `${object.type} ${displayObject(object)}`;
}

function usedByPlace(details: readonly string[]): WarehouseError {
  return new WarehouseError({
    kind: "used_by_place",
    sqlstate: NO_SQLSTATE,
    message: details.join("; "),
    statement: null,
    details,
  });
}
