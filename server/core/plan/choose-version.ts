import type { Hash } from "../base/hash.ts";
import { PROD } from "../environment/environment.ts";
import { virtualName } from "../environment/virtual-name.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { compareColumns, sameColumns } from "../snapshot/column-changes.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";
import { physicalName } from "../snapshot/physical-name.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { TokenSource } from "../snapshot/version-token.ts";
import type { NextVersion, RuleRow } from "./decision.ts";
import { findReusable, findVersion, isBorrowed, isStale, nextToken, type VersionSearch } from "./known-versions.ts";
import { lookupKey } from "./lookup-key.ts";
import { ruleRow, ruleVerdict, type Situation, type Verdict } from "./rule-table.ts";
import { changeOf, type Standing, sameSnapshot, type Walk } from "./walk.ts";

export interface VersionChoice {
  readonly row: Exclude<RuleRow, 9>;
  /** The table's, and where a forward-only preview exists already, reuse of that. */
  readonly verdict: Verdict;
  readonly next: NextVersion;
  /** The version is there, but its rows were made under another content. */
  readonly stale: boolean;
}

/** Rows 1 to 8: the version that a model is to have, a new one with the name it will stand under. */
export function chooseVersion(walk: Walk, standing: Standing): VersionChoice {
  const { snapshot, compared } = standing;
  const environment = walk.facts.request.environment;
  const shape = shapeOf(walk, snapshot);
  const search = versionSearch(walk, snapshot);
  const untouched = ["none", "metadata"].includes(changeOf(standing));
  // Rows that come from a preview make a preview of whatever stores them: nobody else may take them for their own.
  const stored = kindCapabilities[snapshot.model.kind.kind].binding === "stored";
  const tainted = stored && standing.parents.some((parent) => parent.fromPreview);
  const lookupKey = untouched ? null : keyOf(walk, standing, shape);
  const reusable = (preview: boolean) => {
    if (lookupKey === null) return null;
    const source = tokenSource(walk, snapshot, lookupKey, preview);
    return findReusable(search, source, snapshot.model.kind.kind, compared?.version ?? null);
  };

  const known = reusable(tainted);
  const situation: Situation = {
    kind: snapshot.model.kind.kind,
    startsAnew: standing.own.startsAnew,
    reusable: known !== null,
    hasHistory: compared !== null && compared.version !== null && !standing.own.startsAnew,
    ownData: standing.own.data,
    moved: standing.movedParents.length > 0,
    differs: standing.own.differs || standing.differingParents.length > 0,
    parentRebuilt: standing.differingParents.some((parent) => parent.rebuilt),
    sameColumns: compared !== null && shape !== null && sameOutput(snapshot, compared.columns, shape),
    labels: standing.own.labels,
    previews: environment !== PROD,
  };
  const row = ruleRow(situation);
  const verdict = ruleVerdict(row, situation);
  const chosen = { walk, standing, shape, search, row, lookupKey };
  if (verdict.outcome === "keep") return { row, verdict, next: keptVersion(chosen), stale: false };

  const preview = verdict.preview || tainted;
  const found = verdict.preview ? reusable(true) : known;
  const takesKnown = found !== null && (row === 2 || verdict.preview);
  const key = lookupKey ?? keyOf(walk, standing, shape);
  const shared = { ...namesOf(walk, standing), lookupKey: key };
  if (takesKnown) {
    const sameSet = shape !== null && sameColumns(compareColumns(found.columns, shape), "any_order");
    const next: NextVersion = {
      ...shared,
      version: found.version,
      relation: found.relation,
      columns: sameSet ? shape : found.columns,
      preview: found.preview,
      borrowed: isBorrowed(found, environment),
      known: found,
    };
    const stale = isStale(search, found.version, snapshot.content);
    return { row, verdict: { ...verdict, outcome: "reuse" }, next, stale };
  }
  const version = nextToken(search, tokenSource(walk, snapshot, key, preview));
  const next: NextVersion = {
    ...shared,
    version,
    relation: physicalName(snapshot.model.name, version, walk.facts.project.naming, preview),
    columns: shape ?? compared?.columns ?? [],
    preview,
    borrowed: false,
    known: null,
  };
  return { row, verdict, next, stale: false };
}

interface Chosen {
  readonly walk: Walk;
  readonly standing: Standing;
  readonly shape: readonly OutputColumn[] | null;
  readonly search: VersionSearch;
  readonly row: RuleRow;
  readonly lookupKey: Hash | null;
}

/** What is compared with, kept: columns as they are, but for a table that was changed in its own or takes new columns. */
function keptVersion({ walk, standing, shape, search, row, lookupKey }: Chosen): NextVersion {
  const { snapshot, compared } = standing;
  if (compared === null) throw new Error(`${snapshot.model.key} has no version that could be kept`);
  const known = findVersion(search, compared.version, lookupKey ?? snapshot.content);
  const takesShape = [4, 5, 6].includes(row) && kindCapabilities[snapshot.model.kind.kind].binding === "stored";
  return {
    ...namesOf(walk, standing),
    version: compared.version,
    // An unchanged model stays under the key that it was recorded by.
    lookupKey: lookupKey ?? known?.lookupKey ?? keyOf(walk, standing, shape),
    relation: compared.relation,
    columns: takesShape && shape !== null ? shape : compared.columns,
    preview: known?.preview ?? false,
    borrowed: known === null ? standing.previous === null : isBorrowed(known, walk.facts.request.environment),
    known,
  };
}

function namesOf(walk: Walk, standing: Standing): Pick<NextVersion, "snapshot" | "view"> {
  const { snapshot, compared, previousSnapshot } = standing;
  const recorded = compared !== null && sameSnapshot(previousSnapshot, snapshot);
  const { naming } = walk.facts.project;
  return {
    snapshot: recorded ? compared.snapshot : snapshot.id,
    view: virtualName(snapshot.model.name, walk.facts.request.environment, naming),
  };
}

function keyOf(walk: Walk, standing: Standing, columns: readonly OutputColumn[] | null): Hash {
  const embedded = standing.reads.embedded.flatMap((model) => {
    const definition = walk.facts.snapshots.get(model)?.definition;
    return definition === undefined ? [] : [{ model, definition }];
  });
  const reads = standing.parents.flatMap(({ decision: { next } }) =>
    next === null || next.relation === null ? [] : [{ relation: next.relation, columns: next.columns }],
  );
  return lookupKey({ snapshot: standing.snapshot, embedded, reads, columns });
}

function tokenSource(walk: Walk, snapshot: Snapshot, key: Hash, preview: boolean): TokenSource {
  return {
    project: walk.facts.project.name,
    model: snapshot.model.key,
    lookupKey: key,
    preview: preview ? walk.facts.request.environment : null,
  };
}

function versionSearch(walk: Walk, snapshot: Snapshot): VersionSearch {
  return {
    versions: walk.versions.get(snapshot.model.key) ?? [],
    environment: walk.facts.request.environment,
    currentHash: walk.base.currentHash,
  };
}

function shapeOf(walk: Walk, snapshot: Snapshot): readonly OutputColumn[] | null {
  const shape = walk.facts.shapes.get(snapshot.model.key);
  return shape?.ok === true ? shape.columns : null;
}

/** Tables are read and written by name; what binds positions keeps them only in order. */
function sameOutput(snapshot: Snapshot, before: readonly OutputColumn[], after: readonly OutputColumn[]): boolean {
  const bound = kindCapabilities[snapshot.model.kind.kind].binding === "bound";
  return sameColumns(compareColumns(before, after), bound ? "in_order" : "any_order");
}
