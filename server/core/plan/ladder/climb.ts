import { compareText, relationKey } from "../../base/relation-name.ts";
import type { Captured, CapturedView } from "../../catalog/captured.ts";
import { objectKey } from "../dependents.ts";
import type { Blocker, Hazard } from "../hazards/hazard.ts";
import type { DraftAction, Planning } from "../planning.ts";
import { type Acceptances, acceptanceText, makeAcceptances } from "./acceptances.ts";
import { type JudgedMember, judgeMembers } from "./judge-members.ts";
import { frameActions, memberActions } from "./ladder-actions.ts";
import { lockBlockers, rootBlockers, rootHazards } from "./ladder-blockers.ts";
import { findLadderRoots, type LadderRoot, rootObject } from "./ladder-root.ts";

/** What becomes of every view that can't be replaced in place or goes away, planned for all of them at once. */
export interface Ladder {
  /** By the root's key. */
  readonly outcomes: ReadonlyMap<string, RootOutcome>;
  /** Locks and checks that belong to no single model. */
  readonly actions: readonly DraftAction[];
  readonly captured: readonly Captured[];
  readonly blockers: readonly Blocker[];
  /** Losses that were accepted and that nothing asked for. */
  readonly unmatched: readonly string[];
}

export interface RootOutcome {
  readonly root: LadderRoot;
  readonly blocked: boolean;
  readonly captured: CapturedView | null;
  /** What hangs on it and on no root before it: told once, with this one. */
  readonly own: readonly JudgedMember[];
  readonly blockers: readonly Blocker[];
  readonly hazards: readonly Hazard[];
  readonly actions: readonly DraftAction[];
  /** Losses that were taken on for it, `CODE:object`. */
  readonly accepted: readonly string[];
}

export function climb(planning: Planning): Ladder {
  const roots = [...findLadderRoots(planning)].sort((a, b) =>
    compareText(relationKey(a.current.name), relationKey(b.current.name)),
  );
  const acceptances = makeAcceptances(planning.facts.request.options.accept);
  const members = judgeMembers(planning, roots, acceptances);
  const captures = new Map(planning.facts.captures.objects.map((each) => [objectKey(each.object), each]));
  const locks = lockBlockers(planning, roots);
  const judged = roots.map((root) => {
    const own = members.filter((each) => each.roots[0] === root);
    const captured = captures.get(objectKey(rootObject(root)));
    const blockers = rootBlockers(planning, root, own, acceptances);
    const view = captured?.kind === "view" ? captured : null;
    return { root, own, captured: view, blockers, blocked: view === null || blockers.length > 0 };
  });
  // A plan that can't be applied as a whole shows what it would ask, and no half of what it would do.
  const stuck = locks.length > 0 || judged.some((each) => each.blocked);
  const outcomes = judged.map((each): RootOutcome => {
    const { root, own } = each;
    return {
      ...each,
      blocked: stuck,
      hazards: rootHazards(own, acceptances),
      actions: stuck ? [] : memberActions(planning, root, own, members),
      accepted: acceptedBy(own, acceptances),
    };
  });
  const ready = judged.flatMap(({ root, captured }) => (captured === null ? [] : [{ root, captured }]));
  return {
    outcomes: new Map(outcomes.map((each) => [relationKey(each.root.current.name), each])),
    actions: stuck ? [] : frameActions(planning, ready, members, acceptances),
    captured: stuck ? [] : planning.facts.captures.objects,
    blockers: locks,
    unmatched: acceptances.unmatched(),
  };
}

function acceptedBy(own: readonly JudgedMember[], acceptances: Acceptances): readonly string[] {
  return own
    .flatMap(({ member, asks }) =>
      [...(asks === null ? [] : [asks]), "stored_rows_recomputed" as const].flatMap((code) =>
        acceptances.accepts(code, member.object) ? [acceptanceText(code, member.object)] : [],
      ),
    )
    .sort(compareText);
}
