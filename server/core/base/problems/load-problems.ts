import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults of a project on disk: files, configuration, model headers, queries, references. */
export interface LoadProblems {
  project_missing: { readonly folder: string };
  file_unreadable: { readonly reason: string };
  config_missing: { readonly folder: string };
  config_invalid: { readonly reason: string };
  syntax_error: { readonly message: string };
  model_invalid: { readonly reason: string };
  model_unsupported: { readonly what: string; readonly instead: string };
  model_duplicate: { readonly model: string; readonly other: string };
  macro_unsupported: { readonly macro: string };
  dag_cycle: { readonly path: readonly string[] };
  reference_removed: { readonly model: string; readonly reader: string };
  seed_invalid: { readonly reason: string };
}

export const loadSentences: Sentences<LoadProblems> = {
  project_missing: (f) => `There is no folder ${f.folder}. Give the project's folder with --path.`,
  file_unreadable: (f) => `The file can't be read: ${f.reason}.`,
  config_missing: (f) =>
    `No config.yaml in ${f.folder}. Run "weir init" to make a project, or give its folder with --path.`,
  config_invalid: (f) => f.reason,
  syntax_error: (f) => f.message,
  model_invalid: (f) => f.reason,
  model_unsupported: (f) => `${f.what} isn't supported yet. ${f.instead}`,
  model_duplicate: (f) => `The model ${f.model} is already defined in ${f.other}. Rename one of them.`,
  macro_unsupported: (f) => `The macro ${f.macro} isn't supported yet. Write out what it stands for.`,
  dag_cycle: (f) => `Models read each other in a circle: ${f.path.join(" -> ")}. Break it at one of them.`,
  reference_removed: (f) =>
    `${f.model} was removed but is read by ${f.reader}. Change the reference, or keep the model.`,
  seed_invalid: (f) => f.reason,
};

export const loadExits: Exits<LoadProblems> = {
  project_missing: 64,
  file_unreadable: 4,
  config_missing: 4,
  config_invalid: 4,
  syntax_error: 4,
  model_invalid: 4,
  model_unsupported: 4,
  model_duplicate: 4,
  macro_unsupported: 4,
  dag_cycle: 4,
  reference_removed: 4,
  seed_invalid: 4,
};
