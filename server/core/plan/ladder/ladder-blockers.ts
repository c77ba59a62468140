import { compareText, relationKey } from "../../base/relation-name.ts";
import { affectedBy, objectKey } from "../dependents.ts";
import type { Blocker, Hazard } from "../hazards/hazard.ts";
import { dependentHazards } from "../hazards/view-hazards.ts";
import type { Planning } from "../planning.ts";
import type { Acceptances } from "./acceptances.ts";
import type { JudgedMember } from "./judge-members.ts";
import { type LadderRoot, rootObject } from "./ladder-root.ts";
import { obstacleTexts } from "./obstacle-text.ts";
import { restoreRightsBlockers } from "./restore-rights.ts";
import { recreatedView, storedRows } from "./stored-rows.ts";

/** Why a root can't become what the project wants, object by object. `own`: what is told with this root. */
export function rootBlockers(
  planning: Planning,
  root: LadderRoot,
  own: readonly JudgedMember[],
  acceptances: Acceptances,
): readonly Blocker[] {
  return [...lossBlockers(root, own), ...rowsBlockers(root, own, acceptances), ...rightsOf(planning, root, own)];
}

function lossBlockers(root: LadderRoot, own: readonly JudgedMember[]): readonly Blocker[] {
  const blocked = own.filter((each) => each.fate === "blocked" && !each.attached);
  const reasons = [...new Set(blocked.map((each) => each.reason))].sort();
  return reasons.flatMap((reason) => {
    const those = blocked.filter((each) => each.reason === reason);
    const code = those[0]?.asks ?? "outside_object_lost";
    const columns = those.flatMap((each) => (each.columns === "unknown" ? [] : each.columns));
    const because = [...new Set(those.flatMap((each) => each.member.blockedBecause ?? []))].sort(compareText);
    const details = {
      view: relationKey(root.current.name),
      model: root.decision.model,
      reason,
      columns: [...new Set(columns)].sort(compareText).join(", "),
      obstacles: obstacleTexts(root.change?.obstacles ?? []),
      because: because.join("; "),
    };
    return [{ code, objects: those.map(affectedBy), details }];
  });
}

function rowsBlockers(root: LadderRoot, own: readonly JudgedMember[], acceptances: Acceptances): readonly Blocker[] {
  return own
    .filter((each) => storedRows(each, acceptances) === "too_many")
    .map((each) => ({
      code: "stored_rows_recomputed" as const,
      objects: [affectedBy(each)],
      details: { view: relationKey(root.current.name), model: root.decision.model },
    }));
}

function rightsOf(planning: Planning, root: LadderRoot, own: readonly JudgedMember[]): readonly Blocker[] {
  const rights = new Map(planning.facts.captures.rights.map((each) => [objectKey(each.object), each]));
  const members = own.flatMap(({ member, fate, attached }) =>
    fate === "blocked" || attached
      ? []
      : restoreRightsBlockers(planning, rights.get(objectKey(member.object)) ?? null, member.owner, fate),
  );
  const ofRoot = rights.get(objectKey(rootObject(root))) ?? null;
  const fate = root.change === null ? "lost" : "recreated";
  return [...restoreRightsBlockers(planning, ofRoot, root.current.owner, fate), ...members];
}

/** Losses that were taken on stay hazards: a reviewer looks for both in one list. */
export function rootHazards(own: readonly JudgedMember[], acceptances: Acceptances): readonly Hazard[] {
  const told = own.filter((each) => !each.attached);
  const rows = told.filter((each) => ["accepted", "too_many"].includes(storedRows(each, acceptances)));
  const waits = told.filter((each) => recreatedView(each)?.populated === true);
  const listed = (code: Hazard["code"], those: readonly JudgedMember[]): readonly Hazard[] =>
    those.length === 0 ? [] : [{ code, objects: those.map(affectedBy) }];
  return [...dependentHazards(told), ...listed("stored_rows_recomputed", rows), ...listed("reader_wait", waits)];
}

/** Every row of a closure takes a lock, old and new; beyond half of the server's table other sessions would fail, too. */
export function lockBlockers(planning: Planning, roots: readonly LadderRoot[]): readonly Blocker[] {
  const { lockSlots } = planning.facts.catalog.server;
  const members = new Set(roots.flatMap((root) => root.members.map((member) => objectKey(member.object))));
  const locks = 2 * CATALOG_ROWS * (members.size + roots.length);
  if (roots.length === 0 || locks < lockSlots / 2) return [];
  const objects = roots.map((root) => ({ object: rootObject(root), owner: root.current.owner, columns: [] }));
  const [first] = roots;
  const details = {
    model: first?.decision.model ?? "",
    members: String(members.size),
    locks: String(locks),
    slots: String(lockSlots),
  };
  return [{ code: "too_many_locks", objects, details }];
}

/** A view is a relation, a rule, a row type and its array type. */
const CATALOG_ROWS = 4;
