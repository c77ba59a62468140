import type { CatalogRelation, Grant } from "../../catalog/catalog.ts";
import type { OutputColumn } from "../../snapshot/output-column.ts";
import type { LadderObstacle } from "../action.ts";

/**
 * Which rung is legal for a virtual view, decided from the catalog alone.
 *
 * | the name now | next columns | rung |
 * |---|---|---|
 * | absent | any | create |
 * | a view | begin with the present ones: same names, places, types, collations | replace |
 * | a view | anything else | recreate, with all that it carries and all that hangs on it, where `judge-members.ts` finds that it can come back |
 * | anything else | any | blocked: not ours |
 *
 * PostgreSQL refuses CREATE OR REPLACE VIEW in just these cases (42P16). 14 takes another collation without a word
 * and changes what dependents see, so we refuse it there, too.
 */
export type Rung = "create" | "replace" | "recreate" | "not_ours";

export interface LadderChoice {
  readonly rung: Rung;
  /** Why not replace; empty where it is legal. */
  readonly obstacles: readonly LadderObstacle[];
}

export function chooseRung(current: CatalogRelation | null, next: readonly OutputColumn[]): LadderChoice {
  if (current === null) return { rung: "create", obstacles: [] };
  if (current.kind !== "view") {
    return { rung: "not_ours", obstacles: [{ rung: "replace", code: "not_a_view", kind: current.kind }] };
  }
  const obstacles = findObstacles(current.columns, next);
  return { rung: obstacles.length === 0 ? "replace" : "recreate", obstacles };
}

/** Everything that keeps `next` from replacing `current` in place; in the order of the present columns. */
export function findObstacles(
  current: readonly OutputColumn[],
  next: readonly OutputColumn[],
): readonly LadderObstacle[] {
  const byName = new Map(next.map((column) => [column.name, column]));
  const known = new Set(current.map((column) => column.name));
  const surviving = current.filter((column) => byName.has(column.name));
  return current.flatMap((column, index): readonly LadderObstacle[] => {
    const after = byName.get(column.name);
    if (after === undefined) return [goneObstacle(column, next[index], known)];
    return [...retypedObstacle(column, after), ...movedObstacle(column, index, surviving, next)];
  });
}

/** A column that vanishes where one of its type appears under a new name is called renamed: that is how it reads to people. */
function goneObstacle(column: OutputColumn, at: OutputColumn | undefined, known: ReadonlySet<string>): LadderObstacle {
  const renamed = at !== undefined && !known.has(at.name) && columnType(at) === columnType(column);
  return renamed
    ? { rung: "replace", code: "column_renamed", column: column.name, to: at.name }
    : { rung: "replace", code: "column_removed", column: column.name };
}

function retypedObstacle(before: OutputColumn, after: OutputColumn): readonly LadderObstacle[] {
  const from = columnType(before);
  const to = columnType(after);
  return from === to ? [] : [{ rung: "replace", code: "column_retyped", column: before.name, from, to }];
}

/** In place, or in place among the survivors: the columns behind a removed one aren't called moved. */
function movedObstacle(
  column: OutputColumn,
  index: number,
  surviving: readonly OutputColumn[],
  next: readonly OutputColumn[],
): readonly LadderObstacle[] {
  const position = next.findIndex((each) => each.name === column.name);
  return position === index || surviving[position]?.name === column.name
    ? []
    : [{ rung: "replace", code: "column_moved", column: column.name, position: position + 1 }];
}

export function columnType(column: OutputColumn): string {
  return column.collation === null ? column.type : `${column.type} COLLATE ${column.collation}`;
}

/**
 * The order that a view serves. Surviving columns keep their place and new ones come last where anything could hold
 * on to places: a moved column can swap data in dependents that use positional aliases, without any error.
 */
export function servedOrder(
  current: readonly string[] | null,
  model: readonly string[],
  keepPlaces: boolean,
): readonly string[] {
  if (current === null || !keepPlaces) return model;
  const wanted = new Set(model);
  const kept = current.filter((name) => wanted.has(name));
  const held = new Set(kept);
  return [...kept, ...model.filter((name) => !held.has(name))];
}

/** Something that hangs on a view itself and that a drop would lose, in words for people. */
export interface Carried {
  readonly code: "owner" | "grant" | "column_grant" | "comment" | "option" | "rule" | "trigger" | "default";
  readonly text: string;
}

/**
 * What a drop and create would lose. `ours` are the comments and options that we set ourselves and will set again;
 * the owner's own default privileges come with ownership.
 */
export function findCarried(
  view: CatalogRelation,
  role: string,
  ours: { readonly comments: ReadonlySet<string>; readonly options: ReadonlySet<string> },
): readonly Carried[] {
  const foreign = (comment: string | null): comment is string => comment !== null && !ours.comments.has(comment);
  return [
    ...(view.owner === role ? [] : [{ code: "owner" as const, text: `owner ${view.owner}` }]),
    ...view.grants.filter((grant) => grant.grantee !== view.owner).map((grant) => carriedGrant(grant)),
    ...view.columns.flatMap((column) =>
      column.grants.map((grant) => ({
        code: "column_grant" as const,
        text: `${grant.privilege} (${column.name}) to ${grant.grantee}`,
      })),
    ),
    ...(foreign(view.comment) ? [{ code: "comment" as const, text: `comment "${view.comment}"` }] : []),
    ...view.columns.flatMap((column) =>
      foreign(column.comment) ? [{ code: "comment" as const, text: `comment on column ${column.name}` }] : [],
    ),
    ...view.options
      .filter((option) => !ours.options.has(option))
      .map((option) => ({ code: "option" as const, text: `option ${option}` })),
    ...view.columns
      .filter((column) => column.hasDefault)
      .map((column) => ({ code: "default" as const, text: `default of column ${column.name}` })),
    ...view.rules.map((rule) => ({ code: "rule" as const, text: `rule ${rule}` })),
    ...view.triggers.map((trigger) => ({ code: "trigger" as const, text: `trigger ${trigger}` })),
  ];
}

function carriedGrant(grant: Grant): Carried {
  return {
    code: "grant",
    text: `${grant.privilege} to ${grant.grantee}${grant.grantable ? " with grant option" : ""}`,
  };
}
