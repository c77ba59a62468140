import type { Json } from "../base/hash.ts";
import { compareText } from "../base/relation-name.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelKey } from "../model/model-name.ts";
import { type DefinitionParts, definitionParts } from "../snapshot/definition-parts.ts";
import { differingParts, inPlaceParts, metadataParts, sameJson } from "../snapshot/label-parts.ts";
import type { ModelReads } from "../snapshot/reads.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import type { Reason } from "./decision.ts";

/** What changed in a model itself, between the snapshot that is served and the one of the project. */
export interface OwnChange {
  readonly startsAnew: boolean;
  readonly data: boolean;
  /** Rows or columns can differ by it. False only for what provably moves the rows elsewhere and no more. */
  readonly differs: boolean;
  readonly labels: boolean;
  readonly inPlace: boolean;
  readonly reasons: readonly Reason[];
  /** Where the change was made, if not in the model itself: what is inlined into it, or read with `*`. */
  readonly through: ModelKey | null;
}

/** Properties that say where or how rows are kept, never which; others could, and count as differing. */
const ROWS_STAY = new Set(["access_method", "partition_by", "tablespace", "unlogged", "using"]);
const NATIVE_PARTITIONING = "partition_by";
const ACCESS_METHOD = ["access_method", "using"];

export const NEW_MODEL: OwnChange = {
  startsAnew: true,
  data: true,
  differs: true,
  labels: false,
  inPlace: false,
  reasons: [{ code: "new_model" }],
  through: null,
};

/** The stored snapshot is gone, so nothing can be said of it: everything counts as changed. */
export const UNKNOWN_CHANGE: OwnChange = { ...NEW_MODEL, startsAnew: false, reasons: [{ code: "query_changed" }] };

export function ownChange(
  before: Snapshot,
  after: Snapshot,
  reads: ModelReads,
  snapshots: { readonly before: ReadonlyMap<ModelKey, Snapshot>; readonly after: ReadonlyMap<ModelKey, Snapshot> },
  parser: SqlParser,
): OwnChange {
  const own = before.definition === after.definition ? SAME_DEFINITION : definitionChange(before, after, parser);
  const embedded = reads.embedded.filter((key) => {
    const was = snapshots.before.get(key);
    return was?.model.kind.kind !== "embedded" || was.definition !== snapshots.after.get(key)?.definition;
  });
  const external = reads.external
    .filter(({ star, model }) => star && declared(snapshots.before.get(model)) !== declared(snapshots.after.get(model)))
    .map(({ model }) => model);
  const labels = labelReasons(before, after);
  return {
    startsAnew: own.startsAnew,
    data: before.definition !== after.definition || embedded.length > 0 || external.length > 0,
    differs: own.differs || embedded.length > 0 || external.length > 0,
    labels: labels.length > 0,
    inPlace: before.inPlace !== after.inPlace,
    reasons: [
      ...own.reasons,
      ...embedded.map((parent) => ({ code: "embedded_changed", parent }) as const),
      ...external.map((parent) => ({ code: "external_columns_changed", parent }) as const),
      ...labels,
    ],
    through: before.definition === after.definition ? ([...embedded, ...external][0] ?? null) : null,
  };
}

interface DefinitionChange {
  readonly startsAnew: boolean;
  readonly differs: boolean;
  readonly reasons: readonly Reason[];
}

const SAME_DEFINITION: DefinitionChange = { startsAnew: false, differs: false, reasons: [] };

function definitionChange(before: Snapshot, after: Snapshot, parser: SqlParser): DefinitionChange {
  const old = definitionParts(before.model, parser);
  const now = definitionParts(after.model, parser);
  const changed = (part: keyof DefinitionParts) => !sameJson(old[part] as Json, now[part] as Json);
  const storage = differingParts(old.storage, now.storage);
  const partitioning = changed("partitioning") || storage.includes(NATIVE_PARTITIONING);
  const properties = [...storage.filter((key) => key !== NATIVE_PARTITIONING), ...(changed("stamp") ? ["stamp"] : [])];
  const [from, to] = [kindCapabilities[before.model.kind.kind], kindCapabilities[after.model.kind.kind]];
  const startsAnew = changed("kind") || partitioning || storage.some((key) => ACCESS_METHOD.includes(key));
  const rowsChanged = (["kind", "seed", "query", "statements", "columns", "stamp"] as const).some(changed);
  return {
    startsAnew,
    // A table with a history of its own starts over with what the query gives now.
    differs: rowsChanged || storage.some((key) => !ROWS_STAY.has(key)) || (startsAnew && to.alwaysForwardOnly),
    reasons: [
      ...(changed("kind") ? [{ code: "kind_changed", from: from.label, to: to.label } as const] : []),
      ...(partitioning ? [{ code: "partitioning_changed" } as const] : []),
      ...(changed("query") ? [{ code: "query_changed" } as const] : []),
      ...(changed("statements") ? [{ code: "statements_changed" } as const] : []),
      ...(changed("seed") ? [{ code: "seed_changed" } as const] : []),
      ...(changed("columns") ? [{ code: "columns_changed" } as const] : []),
      ...(properties.length > 0 ? [{ code: "properties_changed", keys: properties.sort(compareText) } as const] : []),
    ],
  };
}

function labelReasons(before: Snapshot, after: Snapshot): readonly Reason[] {
  const inPlace =
    before.inPlace === after.inPlace ? [] : differingParts(inPlaceParts(before.model), inPlaceParts(after.model));
  const storage = inPlace.includes("storage") ? storageKeys(before, after) : [];
  const described = inPlace.includes("description") || inPlace.includes("columnDescriptions");
  const labels =
    before.metadata === after.metadata ? [] : differingParts(metadataParts(before.model), metadataParts(after.model));
  // Where the query changed, what it reads is told by that.
  const told = before.definition === after.definition ? [] : ["depends_on"];
  const properties = [
    ...labels.filter((label) => !told.includes(label)),
    ...(inPlace.includes("grants") ? ["grants"] : []),
  ];
  return [
    ...(inPlace.includes("indexes") ? [{ code: "index_changed" } as const] : []),
    ...(storage.length > 0 ? [{ code: "storage_changed", keys: storage } as const] : []),
    ...(described ? [{ code: "description_changed" } as const] : []),
    ...(properties.length > 0 ? [{ code: "label_changed", properties: properties.sort(compareText) } as const] : []),
  ];
}

function storageKeys(before: Snapshot, after: Snapshot): readonly string[] {
  const of = (snapshot: Snapshot) => inPlaceParts(snapshot.model).storage as { readonly [key: string]: Json };
  return differingParts(of(before), of(after));
}

/** The identity of an EXTERNAL model's declared columns; null where it declares none. */
function declared(snapshot: Snapshot | undefined): string | null {
  if (snapshot?.model.kind.kind !== "external" || snapshot.model.columns === null) return null;
  return snapshot.definition;
}
