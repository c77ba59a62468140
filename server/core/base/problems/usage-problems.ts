import type { Exits, Sentences } from "../problem-shape.ts";

/** Faults of what was typed and of the machine it was typed on, and our own defects. */
export interface UsageProblems {
  usage_invalid: { readonly reason: string };
  files_in_the_way: { readonly folder: string; readonly files: readonly string[] };
  file_unwritable: { readonly file: string; readonly reason: string };
  cache_not_ours: { readonly folder: string; readonly reason: string };
  model_unknown: { readonly model: string; readonly similar: readonly string[] };
  model_without_query: { readonly model: string; readonly kind: string };
  interrupted: { readonly during: string };
  internal_error: { readonly message: string };
}

export const usageSentences: Sentences<UsageProblems> = {
  usage_invalid: (f) => f.reason,
  files_in_the_way: (f) =>
    `${f.folder} already has ${f.files.join(", ")}, and nothing was written. Choose another folder, or move them away.`,
  file_unwritable: (f) => `${f.file} can't be written: ${f.reason}.`,
  cache_not_ours: (f) =>
    `${f.folder} was left as it is: ${f.reason}. Set "cache_dir" to a folder that holds nothing but the cache.`,
  model_unknown: (f) =>
    `There is no model ${f.model} in this project.${f.similar.length === 0 ? "" : ` Did you mean ${f.similar.join(" or ")}?`}`,
  model_without_query: (f) => `${f.model} is ${f.kind}: it has no query to render.`,
  interrupted: (f) => `Interrupted while ${f.during}. Nothing was changed.`,
  internal_error: (f) =>
    `Weir ran into a fault of its own: ${f.message}. Run it again with WEIR_LOG=debug for details, and report it.`,
};

export const usageExits: Exits<UsageProblems> = {
  usage_invalid: 64,
  files_in_the_way: 64,
  file_unwritable: 1,
  cache_not_ours: 3,
  model_unknown: 64,
  model_without_query: 64,
  interrupted: 1,
  internal_error: 1,
};
