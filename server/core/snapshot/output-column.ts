/** One output column of a relation or a query, as the server describes it. */
export interface OutputColumn {
  readonly name: string;
  /** `format_type(atttypid, atttypmod)`: `integer`, `character varying(50)`, `numeric(12,2)[]`. */
  readonly type: string;
  /** Only where it isn't the type's own. */
  readonly collation: string | null;
}

/** Columns whose names or types differ between two shapes, matched by name. */
export interface ColumnChanges {
  readonly added: readonly OutputColumn[];
  readonly removed: readonly OutputColumn[];
  readonly retyped: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** Same names and types, other order. */
  readonly reordered: boolean;
}
