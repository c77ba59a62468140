import { fitIdentifier, markIdentifier } from "../base/fit-identifier.ts";
import { md5Text } from "../base/hash.ts";
import { byteLength, MAX_IDENTIFIER_BYTES, type RelationName, relationName } from "../base/relation-name.ts";
import { type ModelName, modelKey } from "../model/model-name.ts";
import type { NamingRules } from "../model/project.ts";

/** Of a model whose name has no schema, for its physical schema and its virtual view alike. */
export const DEFAULT_SCHEMA = "default";

/** Ends the name of a forward-only preview. The longest suffix that is ever put after a physical name. */
const PREVIEW_SUFFIX = "__dev";

/** What a physical name may take, so that every suffix still fits. */
const NAME_BYTES = MAX_IDENTIFIER_BYTES - PREVIEW_SUFFIX.length;

/**
 * `sqlmesh__<schema>.<schema>__<model>__<version>`, at most 63 bytes with `__dev` after it. Characters other than
 * [A-Za-z0-9_] become `_`, as in SQLMesh; then, and where the name is cut, a hash of the model's name stands before the
 * version, so that neither `größe` and `grüße` nor two long names meet. Where a mapping puts several schemas into one,
 * it is the version that keeps them apart: it is derived from the model's name, too (version-token.ts).
 */
export function physicalName(name: ModelName, version: string, naming: NamingRules, preview: boolean): RelationName {
  const table = tableName(name, version, naming);
  return relationName(physicalSchema(name, naming), preview ? `${table}${PREVIEW_SUFFIX}` : table);
}

/** The first mapping whose pattern matches the model's schema from its start, as Python's `re.match` does. */
export function physicalSchema(name: ModelName, naming: NamingRules): string {
  const schema = name.schema ?? DEFAULT_SCHEMA;
  const mapped = naming.physicalSchemas.find(({ pattern }) => new RegExp(`^(?:${pattern})`).test(schema));
  return fitIdentifier(mapped === undefined ? `sqlmesh__${schema}` : mapped.schema, MAX_IDENTIFIER_BYTES);
}

/** Whether the physical name had to be cut, which the plan tells. */
export function physicalNameIsCut(name: ModelName, version: string, naming: NamingRules): boolean {
  if (byteLength(`sqlmesh__${name.schema ?? DEFAULT_SCHEMA}`) > MAX_IDENTIFIER_BYTES) return true;
  if (naming.physicalTable === "hash_md5") return false;
  return byteLength(`${tableBase(name, naming)}__${version}`) > NAME_BYTES;
}

function tableName(name: ModelName, version: string, naming: NamingRules): string {
  const base = tableBase(name, naming);
  if (naming.physicalTable === "hash_md5") {
    return `sqlmesh_md5__${md5Text(`${physicalSchema(name, naming)}.${base}__${version}`)}`;
  }
  const limit = NAME_BYTES - byteLength(`__${version}`);
  const word = base.replace(/[^A-Za-z0-9_]/gu, "_");
  const fitted =
    word === base ? fitIdentifier(base, limit, modelKey(name)) : markIdentifier(word, limit, modelKey(name));
  return `${fitted}__${version}`;
}

function tableBase(name: ModelName, naming: NamingRules): string {
  const withSchema = naming.physicalTable !== "table_only" && name.schema !== null;
  return withSchema ? `${name.schema}__${name.name}` : name.name;
}
