import { type Hash, hashJson } from "../base/hash.ts";
import { type RelationName, relationKey } from "../base/relation-name.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** What decides whether a physical object that exists already is the one that a model needs. */
export interface LookupParts {
  readonly snapshot: Snapshot;
  /** EMBEDDED models that stand in its query, by key. */
  readonly embedded: readonly { readonly model: ModelKey; readonly definition: Hash }[];
  /** Physical relations that it reads, with all their columns. */
  readonly reads: readonly { readonly relation: RelationName; readonly columns: readonly OutputColumn[] }[];
  /** Its own output, which is what `*` stands for; null where the shape couldn't be found out. */
  readonly columns: readonly OutputColumn[] | null;
}

/**
 * Stored kinds hold rows, so their key is the content. Bound kinds hold the names they read: the key is what the server
 * has bound. Which columns they read isn't known without lineage, so all columns of what they read count; that can cost
 * the reuse of an old version over an altered table, never a wrong one.
 */
export function lookupKey(parts: LookupParts): Hash {
  const { snapshot } = parts;
  if (kindCapabilities[snapshot.model.kind.kind].binding === "stored") return snapshot.content;
  return hashJson({
    definition: snapshot.definition,
    embedded: parts.embedded.map(({ model, definition }) => [model, definition]),
    reads: parts.reads.map(({ relation, columns }) => [relationKey(relation), columnTexts(columns)]),
    columns: parts.columns === null ? null : columnTexts(parts.columns),
  });
}

function columnTexts(columns: readonly OutputColumn[]): readonly (readonly (string | null)[])[] {
  return columns.map(({ name, type, collation }) => [name, type, collation]);
}
