import { compareText, type RelationName, relationKey } from "../../base/relation-name.ts";
import type { Captured } from "../../catalog/captured.ts";
import type { ClosureMember, ObjectName } from "../../catalog/catalog.ts";
import { compareObjects, type DependentReason, type Judged, objectKey } from "../dependents.ts";
import type { BlockerCode } from "../hazards/hazard.ts";
import { managedAs, type Planning } from "../planning.ts";
import type { Acceptances } from "./acceptances.ts";
import { type LadderRoot, rootObject } from "./ladder-root.ts";
import { mayUsePlaces, usesWholeRow } from "./whole-row.ts";

/** One object that hangs on one or several roots, and what becomes of it. */
export interface JudgedMember extends Judged {
  readonly member: ClosureMember;
  readonly captured: Captured | null;
  /** Steps from the roots of all closures together: what it reads is on a lower level. */
  readonly level: number;
  readonly fate: "recreated" | "lost" | "blocked";
  /** What has to be accepted, or was; null where nothing is asked. */
  readonly asks: BlockerCode | null;
  /** Comes and goes with the relation that it is on, and needs no word of its own. */
  readonly attached: boolean;
  /** What of it changes with the root, so that it won't be quite the same afterwards. */
  readonly retyped: boolean;
  /** The roots that it hangs on, directly or through others, by name. */
  readonly roots: readonly LadderRoot[];
}

interface Joined {
  readonly member: ClosureMember;
  readonly roots: LadderRoot[];
}

/** Everything that hangs on the roots, each once, what others read before them. */
export function judgeMembers(
  planning: Planning,
  roots: readonly LadderRoot[],
  acceptances: Acceptances,
): readonly JudgedMember[] {
  const captures = new Map(planning.facts.captures.objects.map((each) => [objectKey(each.object), each]));
  const rootOf = new Map(roots.map((root) => [relationKey(root.current.name), root]));
  const joined = [...joinClosures(roots).values()];
  const levels = levelsOf(joined, captures, rootOf);
  const sorted = joined.sort(
    (a, b) => levelOf(levels, a) - levelOf(levels, b) || compareObjects(a.member.object, b.member.object),
  );
  // By name alone: the catalog's word for a kind may differ between an object and whoever reads it.
  const earlier = new Map<string, JudgedMember>();
  return sorted.map((each) => {
    const judged = judge(planning, each, {
      captured: captures.get(objectKey(each.member.object)) ?? null,
      level: levelOf(levels, each),
      rootOf,
      earlier,
      acceptances,
    });
    earlier.set(relationKey(each.member.object), judged);
    return judged;
  });
}

function joinClosures(roots: readonly LadderRoot[]): ReadonlyMap<string, Joined> {
  const joined = new Map<string, Joined>();
  for (const root of roots) {
    for (const member of root.members) {
      const key = objectKey(member.object);
      const other = joined.get(key);
      if (other === undefined) joined.set(key, { member, roots: [root] });
      else
        joined.set(key, {
          member: { ...other.member, uses: joinUses(other.member, member) },
          roots: [...other.roots, root],
        });
    }
  }
  return joined;
}

function joinUses(a: ClosureMember, b: ClosureMember): ClosureMember["uses"] {
  const known = new Set(a.uses.map((use) => objectKey(use.object)));
  return [...a.uses, ...b.uses.filter((use) => !known.has(objectKey(use.object)))];
}

function levelOf(levels: ReadonlyMap<string, number>, { member }: Joined): number {
  return levels.get(relationKey(member.object)) ?? 1;
}

/** The longest way down to a root, over all closures at once; dependencies have no circles once rules are on their own. */
function levelsOf(
  joined: readonly Joined[],
  captures: ReadonlyMap<string, Captured>,
  roots: ReadonlyMap<string, LadderRoot>,
): ReadonlyMap<string, number> {
  const below = new Map<string, string[]>(
    joined.map(({ member }) => {
      const host = hostOf(captures.get(objectKey(member.object)) ?? null);
      const read = member.uses.map((use) => relationKey(use.object));
      return [relationKey(member.object), host === null ? read : [...read, relationKey(host)]];
    }),
  );
  // An index goes and comes with its relation, so what the index calls has to outlive both.
  for (const { member } of joined) {
    const host = ATTACHED.has(member.object.type) ? hostOf(captures.get(objectKey(member.object)) ?? null) : null;
    if (host === null) continue;
    const key = relationKey(host);
    const called = member.uses.map((use) => relationKey(use.object)).filter((each) => each !== key);
    below.get(key)?.push(...called);
  }
  const levels = new Map<string, number>([...roots.keys()].map((key) => [key, 0]));
  const visit = (key: string): number => {
    const known = levels.get(key);
    if (known !== undefined) return known;
    levels.set(key, 1);
    const level = 1 + Math.max(0, ...(below.get(key) ?? []).filter((each) => below.has(each)).map(visit));
    levels.set(key, level);
    return level;
  };
  for (const key of below.keys()) visit(key);
  return levels;
}

export function hostOf(captured: Captured | null): RelationName | null {
  return captured !== null && "on" in captured ? captured.on : null;
}

interface Around {
  readonly captured: Captured | null;
  readonly level: number;
  readonly rootOf: ReadonlyMap<string, LadderRoot>;
  readonly earlier: ReadonlyMap<string, JudgedMember>;
  readonly acceptances: Acceptances;
}

interface Verdict {
  readonly reason: DependentReason;
  readonly columns: readonly string[] | "unknown";
  readonly objects: readonly ObjectName[];
}

const codeOf: Readonly<Partial<Record<DependentReason, BlockerCode>>> = {
  column_gone: "outside_object_lost",
  source_dropped: "outside_object_lost",
  reads_fallen: "outside_object_lost",
  used_by_place: "outside_object_lost",
  cant_capture: "outside_object_lost",
  column_retyped: "outside_object_retyped",
};

function judge(planning: Planning, { member, roots }: Joined, around: Around): JudgedMember {
  const { captured, level, acceptances } = around;
  const attached = ATTACHED.has(member.object.type);
  const verdict = reach(member, around);
  const asks = codeOf[verdict.reason] ?? null;
  const accepted =
    asks !== null && captured !== null && (verdict.reason === "with_host" || acceptances.accepts(asks, member.object));
  const retyped = verdict.reason === "column_retyped";
  const fate =
    verdict.reason === "with_host" || (accepted && !retyped)
      ? "lost"
      : asks === null || (accepted && retyped)
        ? "recreated"
        : "blocked";
  return {
    member,
    captured,
    level,
    fate,
    asks,
    attached,
    retyped,
    roots,
    reason: verdict.reason,
    columns: verdict.columns,
    dependent: {
      object: member.object,
      owner: member.owner,
      managed: managedAs(planning, member.object) !== null,
      of: member.uses.map((use) => ({ object: use.object, columns: use.columns })),
      fate,
      strategy: fate === "recreated" ? "recreate" : fate === "lost" ? "drop" : null,
      why: {
        code: verdict.reason,
        objects: verdict.objects.map((object) => ({ object, owner: null, columns: verdict.columns })),
      },
    },
  };
}

/** Indexes and extended statistics are parts of their materialized view in all but name. */
const ATTACHED: ReadonlySet<string> = new Set(["index", "statistics object"]);

function reach(member: ClosureMember, around: Around): Verdict {
  const { captured, earlier, rootOf } = around;
  const used = member.uses.flatMap((use) => earlier.get(relationKey(use.object)) ?? []);
  const host = hostOf(captured);
  const hosted = host === null ? [] : (earlier.get(relationKey(host)) ?? []);
  const withHost = [hosted, ATTACHED.has(member.object.type) ? used : []].flat().find((each) => each.fate === "lost");
  if (withHost !== undefined) return { reason: "with_host", columns: [], objects: [withHost.member.object] };

  const direct = member.uses.flatMap((use) => {
    const root = rootOf.get(relationKey(use.object));
    return root === undefined ? [] : [{ root, columns: columnsUsed(use.columns, captured, root) }];
  });
  const names = (list: readonly { readonly root: LadderRoot }[]) => list.map((each) => rootObject(each.root));
  const all = columnsOf(direct);
  const dropped = direct.filter((each) => each.root.change === null);
  if (dropped.length > 0) return { reason: "source_dropped", columns: columnsOf(dropped), objects: names(dropped) };
  const lost = direct.filter((each) => each.columns.some((column) => each.root.gone.has(column)));
  if (lost.length > 0) {
    return { reason: "column_gone", columns: columnsOf(lost, (root) => root.gone), objects: names(lost) };
  }
  const fallen = used.filter((each) => each.fate === "lost" || (each.fate === "blocked" && !each.retyped));
  if (fallen.length > 0 && !ATTACHED.has(member.object.type)) {
    return { reason: "reads_fallen", columns: [], objects: fallen.map((each) => each.member.object) };
  }
  // A view of the plan's own that reads another through somebody's view can't be changed and brought back at once.
  if (captured === null || member.treatment === "blocked" || rootOf.has(relationKey(member.object))) {
    return { reason: "cant_capture", columns: all, objects: names(direct) };
  }
  const placed = direct.filter((each) => each.root.moved && mayUsePlaces(captured));
  if (placed.length > 0) return { reason: "used_by_place", columns: columnsOf(placed), objects: names(placed) };
  const changed = direct.filter((each) => each.columns.some((column) => each.root.retyped.has(column)));
  if (changed.length > 0) {
    return { reason: "column_retyped", columns: columnsOf(changed, (root) => root.retyped), objects: names(changed) };
  }
  const retyped = used.filter((each) => each.retyped && (each.captured?.kind ?? "view").endsWith("view"));
  if (retyped.length > 0 && !ATTACHED.has(member.object.type)) {
    const columns = member.uses.flatMap((use) =>
      use.columns !== "unknown" && retyped.some((each) => relationKey(each.member.object) === relationKey(use.object))
        ? use.columns
        : [],
    );
    return { reason: "column_retyped", columns, objects: retyped.map((each) => each.member.object) };
  }
  const objects = direct.length > 0 ? names(direct) : used.map((each) => each.member.object);
  return { reason: "recreated", columns: all, objects };
}

function columnsUsed(
  named: readonly string[] | "unknown",
  captured: Captured | null,
  root: LadderRoot,
): readonly string[] {
  if (named !== "unknown") return named;
  // What can't be looked into may use any of them, and so does a whole row.
  return captured === null || usesWholeRow(captured) ? root.current.columns.map((column) => column.name) : [];
}

function columnsOf(
  direct: readonly { readonly root: LadderRoot; readonly columns: readonly string[] }[],
  only: (root: LadderRoot) => ReadonlySet<string> | null = () => null,
): readonly string[] {
  const columns = direct.flatMap(({ root, columns }) => columns.filter((column) => only(root)?.has(column) ?? true));
  return [...new Set(columns)].sort(compareText);
}
