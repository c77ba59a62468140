import type { Place } from "../base/problem.ts";
import type { RelationName } from "../base/relation-name.ts";
import type { ModelKind } from "./model-kind.ts";
import type { ModelKey, ModelName } from "./model-name.ts";

/** One model as loaded: plain data, so that a snapshot can store it whole and a later version can read it back. */
export interface Model {
  readonly key: ModelKey;
  readonly name: ModelName;
  readonly kind: ModelKind;
  readonly dialect: string;
  /** Relative to the project, forward slashes. */
  readonly path: string;
  /** The whole file as written. */
  readonly text: string;
  /** Null for seeds and external models. */
  readonly query: ModelQuery | null;
  readonly preStatements: readonly ModelStatement[];
  readonly postStatements: readonly ModelStatement[];
  /** Declared in the header or an external file; null where the query decides. Types as written. */
  readonly columns: readonly DeclaredColumn[] | null;
  /** SQL expressions over the model's own columns, as written. */
  readonly partitionedBy: readonly string[];
  readonly metadata: ModelMetadata;
  /** Keys as Postgres names them, plus `indexes`. */
  readonly physicalProperties: Properties;
  readonly virtualProperties: Properties;
  /** Every relation that the query or `depends_on` names, each once, in order of first mention. */
  readonly references: readonly Reference[];
}

/**
 * `expanded` is what every parser and hash sees: macros gone. `@this_model` stands in it as the relation
 * THIS_MODEL, which rendering replaces by the physical name.
 */
export interface ModelQuery {
  readonly expanded: string;
  /** Where the query begins in the file. */
  readonly place: Place;
}

export interface ModelStatement {
  readonly expanded: string;
  readonly place: Place;
}

/** The relation that `@this_model` is expanded to before parsing; no real relation can carry this schema's name by accident. */
export const THIS_MODEL: RelationName = { schema: "__weir", name: "this_model" };

export interface DeclaredColumn {
  readonly name: string;
  readonly type: string;
}

/** Counts for labels and people only: a change here never touches the warehouse, but for descriptions (COMMENT). */
export interface ModelMetadata {
  readonly owner: string | null;
  readonly description: string | null;
  readonly columnDescriptions: { readonly [column: string]: string };
  readonly tags: readonly string[];
  readonly cron: string | null;
  readonly cronTz: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly stamp: string | null;
  /** Canonical texts of audits, grains, references and the other labels, by property name. */
  readonly other: { readonly [property: string]: string };
}

export type PropertyValue = string | number | boolean | readonly string[];
export interface Properties {
  readonly [key: string]: PropertyValue;
}

/** A relation that a model reads, and the model that answers to that name, if one does. */
export interface Reference {
  readonly relation: ModelName;
  readonly model: ModelKey | null;
  /** First mention. */
  readonly place: Place;
  /** Read with `*` anywhere: then its declared columns, in order, are part of the reader's content. */
  readonly star: boolean;
}
