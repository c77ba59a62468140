/** What a model is made into. Shared code asks the capability table below, never "is it a view?". */
export type ModelKind =
  | { readonly kind: "view" }
  | { readonly kind: "materialized_view" }
  | { readonly kind: "full" }
  | { readonly kind: "seed"; readonly seed: SeedSource }
  | { readonly kind: "embedded" }
  | { readonly kind: "incremental_by_partition" }
  | { readonly kind: "external" };

export type KindTag = ModelKind["kind"];

/** Where a seed's rows come from. The rows are an artefact addressed by `content`, never part of a plan or a log. */
export interface SeedSource {
  /** Relative to the project, forward slashes. */
  readonly path: string;
  /** Hash of the parsed rows and headers: a byte order mark or line ending changes nothing. */
  readonly content: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface KindCapabilities {
  /** As SQLMesh's headers spell it, for people. */
  readonly label: string;
  /** The physical object's kind, or null where there is none. */
  readonly relation: "view" | "materialized_view" | "table" | null;
  /** `bound` objects hold the names they read and follow them; `stored` ones hold rows. */
  readonly binding: "bound" | "stored" | null;
  /** Changes keep the table and its history: altered in the promotion, new rows from then on. */
  readonly alwaysForwardOnly: boolean;
  /** How rows get in. */
  readonly fill: "none" | "refresh" | "replace_all" | "replace_partitions" | "load_seed";
  /** Whether the rows come wholly from the current query, so that they can be made again. */
  readonly recomputable: boolean;
}

export const kindCapabilities: Readonly<Record<KindTag, KindCapabilities>> = {
  view: {
    label: "VIEW",
    relation: "view",
    binding: "bound",
    alwaysForwardOnly: false,
    fill: "none",
    recomputable: true,
  },
  materialized_view: {
    label: "VIEW (materialized)",
    relation: "materialized_view",
    binding: "bound",
    alwaysForwardOnly: false,
    fill: "refresh",
    recomputable: true,
  },
  full: {
    label: "FULL",
    relation: "table",
    binding: "stored",
    alwaysForwardOnly: false,
    fill: "replace_all",
    recomputable: true,
  },
  seed: {
    label: "SEED",
    relation: "table",
    binding: "stored",
    alwaysForwardOnly: false,
    fill: "load_seed",
    recomputable: true,
  },
  incremental_by_partition: {
    label: "INCREMENTAL_BY_PARTITION",
    relation: "table",
    binding: "stored",
    alwaysForwardOnly: true,
    fill: "replace_partitions",
    recomputable: true,
  },
  embedded: {
    label: "EMBEDDED",
    relation: null,
    binding: null,
    alwaysForwardOnly: false,
    fill: "none",
    recomputable: true,
  },
  external: {
    label: "EXTERNAL",
    relation: null,
    binding: null,
    alwaysForwardOnly: false,
    fill: "none",
    recomputable: false,
  },
};
