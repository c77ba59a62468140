import { type Hash, hashJson } from "../base/hash.ts";
import type { Model } from "../model/model.ts";
import type { ModelKey } from "../model/model-name.ts";
import type { Project } from "../model/project.ts";
import type { SqlParser } from "../sql/sql-parser.ts";
import { definitionParts } from "./definition-parts.ts";
import { inPlaceParts, metadataParts } from "./label-parts.ts";
import { findReads } from "./reads.ts";
import type { Snapshot } from "./snapshot.ts";

/** Rises with every change of what the hashes below are made from. test/core/snapshot/fingerprint.golden.json pins it. */
const FINGERPRINT_FORMAT = 1;

/** Hashes are comparable only under equal formats: the tree that a query has depends on the parser's release, too. */
export function fingerprintFormat(parser: SqlParser): string {
  return `${FINGERPRINT_FORMAT}/${parser.version}`;
}

export function makeSnapshots(project: Project, parser: SqlParser): ReadonlyMap<ModelKey, Snapshot> {
  return fingerprintModels(project.models, parser);
}

/**
 * Three identities each (design: semantics, "Fingerprints"). `definition`: the model's own data, without server or
 * environment. `content`: that, what is inlined into it, and the content of every managed parent. `inPlace`: what the
 * object takes as it stands. `metadata`: labels; neither of the last two travels to children.
 * A parent that isn't among `models` counts as absent.
 */
export function fingerprintModels(models: readonly Model[], parser: SqlParser): ReadonlyMap<ModelKey, Snapshot> {
  const byKey = new Map(models.map((model) => [model.key, model]));
  const definitions = new Map(models.map((model) => [model.key, hashJson({ ...definitionParts(model, parser) })]));
  const contents = new Map<ModelKey, Hash>();
  const reading = new Set<ModelKey>();

  const contentOf = (model: Model): Hash => {
    const known = contents.get(model.key);
    if (known !== undefined) return known;
    // A stored project is free of cycles, but its snapshots can come from more than one moment.
    if (reading.has(model.key)) return definitionOf(definitions, model.key);
    reading.add(model.key);
    const reads = findReads(model, byKey);
    const content = hashJson({
      definition: definitionOf(definitions, model.key),
      embedded: reads.embedded.map((key) => [key, definitionOf(definitions, key)]),
      external: reads.external.flatMap(({ model: key, star }) => {
        const declared = star && (byKey.get(key)?.columns ?? null) !== null;
        return declared ? [[key, definitionOf(definitions, key)]] : [];
      }),
      parents: reads.managed.flatMap((key) => {
        const parent = byKey.get(key);
        return parent === undefined ? [] : [[key, contentOf(parent)]];
      }),
    });
    reading.delete(model.key);
    contents.set(model.key, content);
    return content;
  };

  return new Map(
    models.map((model) => {
      const hashes = {
        format: fingerprintFormat(parser),
        definition: definitionOf(definitions, model.key),
        content: contentOf(model),
        inPlace: hashJson(inPlaceParts(model)),
        metadata: hashJson(metadataParts(model)),
      };
      const id = hashJson({ model: model.key, ...hashes });
      return [model.key, { id, ...hashes, model, parents: findReads(model, byKey).managed }] as const;
    }),
  );
}

function definitionOf(definitions: ReadonlyMap<ModelKey, Hash>, key: ModelKey): Hash {
  const definition = definitions.get(key);
  if (definition === undefined) throw new Error(`the model ${key} is read but not among the models given`);
  return definition;
}
