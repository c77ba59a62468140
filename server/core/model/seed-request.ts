/** Where a SEED model's rows are and how its file is written; keys as SQLMesh's `csv_settings`, which are those of pandas. */
export interface SeedRequest {
  /** As written: beside the model file, or from the project's root after `$root/`. */
  readonly path: string;
  /** String index in the model file. */
  readonly at: number;
  readonly csv: CsvSettings;
}

export interface CsvSettings {
  readonly delimiter: string;
  readonly quotechar: string;
  readonly doublequote: boolean;
  readonly escapechar: string | null;
  readonly skipinitialspace: boolean;
  readonly lineterminator: string | null;
  /** A WHATWG label; UTF-8 unless it says otherwise, whatever the process' locale is. */
  readonly encoding: string;
  /** Further spellings of NULL. */
  readonly naValues: readonly string[];
  /** Whether the usual spellings (empty, `NULL`, `NA`, `NaN`, …) mean NULL too. */
  readonly keepDefaultNa: boolean;
}

export const defaultCsvSettings: CsvSettings = {
  delimiter: ",",
  quotechar: '"',
  doublequote: true,
  escapechar: null,
  skipinitialspace: false,
  lineterminator: null,
  encoding: "utf-8",
  naValues: [],
  keepDefaultNa: true,
};
