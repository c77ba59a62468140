import type { Hash } from "../base/hash.ts";
import { compareText } from "../base/relation-name.ts";
import { type KnownVersion, PROD } from "../environment/environment.ts";
import type { KindTag } from "../model/model-kind.ts";
import { newVersionToken, type TokenSource, versionToken } from "../snapshot/version-token.ts";

/** A model's own versions, looked at from one environment. */
export interface VersionSearch {
  readonly versions: readonly KnownVersion[];
  readonly environment: string;
  readonly currentHash: (stored: Hash) => Hash;
}

/**
 * A version under `source.lookupKey` that may be served as it is: never altered nor written under another content, under
 * whatever key that was recorded, of the same kind, and, if a preview, made by this environment. Never `except`.
 */
export function findReusable(
  search: VersionSearch,
  source: TokenSource,
  kind: KindTag,
  except: string | null,
): KnownVersion | null {
  const own = previewTokens(search, source);
  const usable = versionsUnder(search, source).filter((known) => {
    if (known.kind !== kind || known.version === except) return false;
    if (!recordsOf(search, known.version).every((record) => record.pristine)) return false;
    return source.preview === null || own.has(known.version);
  });
  const rank = (known: KnownVersion) => (known.filled ? 0 : 2) + (known.usedBy.includes(PROD) ? 0 : 1);
  return [...usable].sort((a, b) => rank(a) - rank(b) || compareText(a.version, b.version))[0] ?? null;
}

export function nextToken(search: VersionSearch, source: TokenSource): string {
  const given = new Set(versionsUnder(search, source).map((known) => known.version)).size;
  return newVersionToken(source, given, new Set(search.versions.map((known) => known.version)));
}

/** The record of a version, of several the one under `lookupKey` where there is one. */
export function findVersion(
  search: VersionSearch,
  version: string | null,
  lookupKey: Hash | null,
): KnownVersion | null {
  const records = [...recordsOf(search, version)].sort((a, b) => compareText(a.lookupKey, b.lookupKey));
  return records.find((known) => search.currentHash(known.lookupKey) === lookupKey) ?? records[0] ?? null;
}

/**
 * Whether the rows that a version holds were made under another content than `content`. One version can be recorded
 * under several keys, each with what was true when it was written; any that differs counts.
 */
export function isStale(search: VersionSearch, version: string, content: Hash): boolean {
  return recordsOf(search, version).some((record) => search.currentHash(record.content) !== content);
}

/** Prod may write what it serves and what nobody else serves yet; elsewhere another environment's version is only read. */
export function isBorrowed(known: KnownVersion, environment: string): boolean {
  return environment !== PROD && known.owner !== null && known.owner !== environment;
}

function recordsOf(search: VersionSearch, version: string | null): readonly KnownVersion[] {
  return search.versions.filter((known) => known.version === version);
}

function versionsUnder(search: VersionSearch, source: TokenSource): readonly KnownVersion[] {
  return search.versions.filter(
    (known) => search.currentHash(known.lookupKey) === source.lookupKey && known.preview === (source.preview !== null),
  );
}

/** A preview's owner is gone from its record once nobody serves it, but its token says where it was made. */
function previewTokens(search: VersionSearch, source: TokenSource): ReadonlySet<string> {
  if (source.preview === null) return new Set();
  return new Set(search.versions.map((_, ordinal) => versionToken(source, ordinal)));
}
