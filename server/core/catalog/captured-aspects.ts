import { type Hash, hashText } from "../base/hash.ts";
import { compareText } from "../base/relation-name.ts";
import { assertNever } from "../base/result.ts";
import type {
  Captured,
  CapturedAspect,
  CapturedColumn,
  CapturedMaterializedView,
  CapturedStoredColumn,
  CapturedView,
  SecurityLabel,
} from "./captured.ts";
import type { Grant } from "./catalog.ts";
import type { JsonList } from "./relation-fingerprint.ts";

export const CAPTURED_ASPECTS: readonly CapturedAspect[] = [
  "definition",
  "columns",
  "owner",
  "grants",
  "options",
  "comments",
  "labels",
  "state",
];

/**
 * A hash for each side of an object. Equal hashes mean that the side is the same, on the same server: definitions are
 * its own printing. Size, estimates and cost of making it again don't count, nor who is asking.
 */
export function aspectsOf(captured: Captured): Readonly<Record<CapturedAspect, Hash>> {
  const { definition, columns, owner, grants, options, comments, labels, state } = sidesOf(captured);
  return {
    definition: hashSide(definition),
    columns: hashSide(columns),
    owner: hashSide(owner),
    grants: hashSide(grants),
    options: hashSide(options),
    comments: hashSide(comments),
    labels: hashSide(labels),
    state: hashSide(state),
  };
}

/** The sides on which two captures of one object differ, in the order of `CAPTURED_ASPECTS`; another kind differs in all. */
export function differingAspects(a: Captured, b: Captured): readonly CapturedAspect[] {
  const [ours, theirs] = [sidesOf(a), sidesOf(b)];
  return CAPTURED_ASPECTS.filter((aspect) => !isSame(ours[aspect], theirs[aspect]));
}

/** A thousand objects are compared while readers wait: texts of them took three times as long. */
function isSame(a: JsonList[number], b: JsonList[number]): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  return a.length === b.length && a.every((each, index) => isSame(each, b[index] ?? null));
}

type Sides = Readonly<Record<CapturedAspect, JsonList>>;

/** Lists without objects, so plain JSON is canonical. The kind goes first in each: an index is no view without columns. */
function hashSide(side: JsonList): Hash {
  return hashText(JSON.stringify(side));
}

function sidesOf(captured: Captured): Sides {
  const { kind } = captured;
  const common = {
    columns: [kind],
    owner: [kind, captured.owner],
    grants: [kind],
    options: [kind],
    comments: [kind, captured.comment],
    labels: [kind, captured.labels.map(labelJson)],
    state: [kind, captured.extensions],
  } as const;
  switch (kind) {
    case "view":
      return { ...common, ...sidesOfView(captured) };
    case "materialized_view":
      return {
        ...common,
        ...sidesOfView(captured),
        columns: [kind, captured.columns.map(storedColumnJson)],
        options: [kind, captured.options, captured.toastOptions, captured.accessMethod, captured.tablespace],
        state: [kind, captured.extensions, captured.populated, captured.replicaIdentity],
      };
    case "index": {
      const targets = captured.statisticsTargets.map(({ column, target }) => [column, target]);
      return {
        ...common,
        definition: [kind, captured.definition],
        options: [kind, captured.tablespace, targets],
        state: [kind, captured.extensions, captured.clustered, captured.replicaIdentity],
      };
    }
    case "statistics":
      return { ...common, definition: [kind, captured.definition], options: [kind, captured.target] };
    case "rule":
    case "trigger":
      return {
        ...common,
        definition: [kind, captured.onKind, captured.definition],
        state: [kind, captured.extensions, captured.state],
      };
    case "policy": {
      const { command, permissive, roles, using, check } = captured;
      return { ...common, definition: [kind, command, permissive, roles, using, check] };
    }
    case "default":
      return { ...common, definition: [kind, captured.onKind, captured.expression] };
    case "check":
      return {
        ...common,
        definition: [kind, captured.definition],
        state: [kind, captured.extensions, captured.validated],
      };
    case "function":
      return {
        ...common,
        definition: [kind, captured.routine, captured.signature, captured.definition],
        grants: [kind, captured.grants.map(grantJson)],
      };
    default:
      return assertNever(captured);
  }
}

function sidesOfView(
  captured: CapturedView | CapturedMaterializedView,
): Pick<Sides, "definition" | "columns" | "grants" | "options" | "comments" | "labels"> {
  const { kind, columns, rowType } = captured;
  return {
    definition: [kind, captured.definition],
    columns: [kind, columns.map(columnJson)],
    grants: [
      kind,
      captured.grants.map(grantJson),
      rowType.grants.map(grantJson),
      given(columns, (column) => column.grants.map(grantJson)),
    ],
    options: [kind, captured.options],
    comments: [kind, captured.comment, rowType.comment, given(columns, ({ comment }) => comment ?? [])],
    labels: [
      kind,
      captured.labels.map(labelJson),
      rowType.labels.map(labelJson),
      given(columns, (column) => column.labels.map(labelJson)),
    ],
  };
}

/** By name, and only where there is something: a bare column may come, go or move without changing the side. */
function given(columns: readonly CapturedColumn[], sideOf: (column: CapturedColumn) => string | JsonList): JsonList {
  return columns
    .map((column) => [column.name, sideOf(column)] as const)
    .filter(([, side]) => side.length > 0)
    .sort(([a], [b]) => compareText(a, b));
}

function columnJson({ name, type, collation, defaultExpression }: CapturedColumn): JsonList {
  return [name, type, collation, defaultExpression];
}

function storedColumnJson(column: CapturedStoredColumn): JsonList {
  const { storage, compression, statisticsTarget, options } = column;
  return [...columnJson(column), storage, compression, statisticsTarget, options];
}

function grantJson({ grantor, grantee, privilege, grantable }: Grant): JsonList {
  return [grantor, grantee, privilege, grantable];
}

function labelJson({ provider, label }: SecurityLabel): JsonList {
  return [provider, label];
}
