import { compareText } from "../base/relation-name.ts";
import { type KnownVersion, PROD } from "../environment/environment.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Materialised, Planning } from "./planning.ts";

/**
 * How a version is to be recorded once the plan is done; null where nothing about it changes.
 * It stays pristine only while it was made and written under one key: a forward-only change ends that, for good.
 */
export function nextVersionRecord(planning: Planning, own: Materialised): KnownVersion | null {
  const { decision, model, next } = own;
  const snapshot = planning.facts.snapshots.get(decision.model);
  if (snapshot === undefined) throw new Error(`${decision.model} has no snapshot`);
  const { environment, project } = { environment: planning.facts.request.environment, project: planning.facts.project };
  const usedBy = [...new Set([...(next.known?.usedBy ?? []), environment])].sort(compareText);
  const owner = environment === PROD || next.known === null ? environment : next.known.owner;
  const written = decision.create || decision.fill !== "none";
  const altered = isAltered(own);
  const redefined = decision.outcome === "keep" && isForwardOnly(own) && differsFrom(next.known, snapshot);
  if (next.known !== null && !written && !altered && !redefined && sameUse(next.known, usedBy, owner)) return null;
  const fresh = decision.outcome === "new" || next.known === null;
  const source = written || altered || redefined || next.known === null ? snapshot : next.known;
  return {
    project: project.name,
    model: decision.model,
    lookupKey: next.lookupKey,
    version: next.version,
    kind: model.kind.kind,
    partitionedBy: model.partitionedBy,
    relation: next.relation,
    definition: source.definition,
    content: source.content,
    columns: fresh || written || altered ? next.columns : (next.known?.columns ?? next.columns),
    pristine: fresh || (next.known?.pristine === true && !altered && !redefined),
    filled: true,
    preview: next.preview,
    owner,
    usedBy,
  };
}

function isAltered(own: Materialised): boolean {
  const { alter, create } = own.decision;
  return alter !== null && !create && alter.added.length + alter.removed.length + alter.retyped.length > 0;
}

/** Rows from now on come from another definition than those that are there. */
function isForwardOnly(own: Materialised): boolean {
  const { row } = own.decision;
  const changed = row === 4 || row === 5 || row === 6;
  return kindCapabilities[own.model.kind.kind].alwaysForwardOnly && changed && !own.next.borrowed;
}

function differsFrom(known: KnownVersion | null, snapshot: Snapshot): boolean {
  return known !== null && known.content !== snapshot.content;
}

function sameUse(known: KnownVersion, usedBy: readonly string[], owner: string | null): boolean {
  return known.filled && known.owner === owner && known.usedBy.join("\n") === usedBy.join("\n");
}
