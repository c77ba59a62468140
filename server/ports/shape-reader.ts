import type { RelationName } from "../core/base/relation-name.ts";
import type { ModelKey } from "../core/model/model-name.ts";
import type { Shape } from "../core/plan/facts.ts";
import type { OutputColumn } from "../core/snapshot/output-column.ts";

/** Finds out the output columns of queries by creating them as views in a transaction that is rolled back. */
export interface ShapeReader {
  readonly readShapes: (request: ShapeRequest) => Promise<ReadonlyMap<ModelKey, Shape>>;
}

export interface ShapeRequest {
  /** Relations outside the project, created as empty stub tables first. */
  readonly stubs: readonly { readonly relation: RelationName; readonly columns: readonly OutputColumn[] }[];
  /** Parents before children. */
  readonly queries: readonly ShapeQuery[];
}

export interface ShapeQuery {
  readonly model: ModelKey;
  /** Where it stands in the shadow, so that later queries can read it by the names in their text. */
  readonly relation: RelationName;
  /** A SELECT with its references as written or spliced to the shadow's names; null when `columns` say it all (seeds). */
  readonly query: string | null;
  /** Declared columns: types that the result is cast to by name, or the whole shape when there is no query. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
  readonly parents: readonly ModelKey[];
}
