import { compareText, relationKey } from "../../base/relation-name.ts";
import type { Captured, CapturedAspect, CapturedView } from "../../catalog/captured.ts";
import { CAPTURED_ASPECTS } from "../../catalog/captured-aspects.ts";
import { refreshStatements } from "../../engine/postgres/restore/create-materialized-view.ts";
import { createStatements } from "../../engine/postgres/restore/create-object.ts";
import { dropStatements } from "../../engine/postgres/restore/drop-object.ts";
import { holdStatements } from "../../engine/postgres/restore/hold-object.ts";
import type { RestoreContext } from "../../engine/postgres/restore/restore-context.ts";
import type { Guard, Statement } from "../action.ts";
import { compareObjects, objectKey } from "../dependents.ts";
import { draftAction } from "../draft-action.ts";
import type { DraftAction, Planning } from "../planning.ts";
import type { Acceptances } from "./acceptances.ts";
import { hostOf, type JudgedMember } from "./judge-members.ts";
import { type LadderRoot, rootObject } from "./ladder-root.ts";
import { storedRows } from "./stored-rows.ts";

export interface CapturedRoot {
  readonly root: LadderRoot;
  readonly captured: CapturedView;
}

export function restoreContext(planning: Planning): RestoreContext {
  const { catalog, captures } = planning.facts;
  return { role: catalog.server.role, defaultGrantees: captures.defaultGrantees, timeouts: planning.timeouts };
}

/**
 * What frames the promotion of views that can't be replaced in place, and belongs to no single model: everything is held,
 * dependents first, compared with what the plan captured, and compared once more when it is back.
 */
export function frameActions(
  planning: Planning,
  roots: readonly CapturedRoot[],
  members: readonly JudgedMember[],
  acceptances: Acceptances,
): readonly DraftAction[] {
  const [first] = roots;
  if (first === undefined) return [];
  const base = {
    stage: "promotion",
    layer: "outside",
    target: rootObject(first.root),
    strategy: "recreate",
    downtime: "brief-lock",
  } as const;
  const compared = members.filter((each) => storedRows(each, acceptances) === "compared");
  const rows = (kind: "rows_remembered" | "rows_same"): readonly Guard[] =>
    compared.flatMap(({ captured }) =>
      captured?.kind === "materialized_view" ? [{ kind, relation: captured.relation }] : [],
    );
  return [
    draftAction(null, { ...base, kind: "hold_objects", statements: holdAll(planning, roots, members), step: "hold" }),
    draftAction(null, {
      ...base,
      kind: "check_objects",
      statements: [],
      guards: [
        {
          kind: "captured",
          objects: [...members.map((each) => each.member.object), ...roots.map((each) => rootObject(each.root))].sort(
            compareObjects,
          ),
          aspects: [...CAPTURED_ASPECTS],
        },
        ...ordinalGuards(roots, members),
        ...rows("rows_remembered"),
      ],
      step: "check",
    }),
    draftAction(null, {
      ...base,
      kind: "check_objects",
      statements: [],
      guards: [...restoredGuards(roots, members), ...rows("rows_same")],
      step: "verify",
    }),
  ];
}

/** Dependents first: a reader of one locks it before it comes to what that reads. */
function holdAll(
  planning: Planning,
  roots: readonly CapturedRoot[],
  members: readonly JudgedMember[],
): readonly Statement[] {
  const own = new Set(roots.map((each) => relationKey(each.root.current.name)));
  const held = new Set([...members.map((each) => relationKey(each.member.object)), ...own]);
  const statements = [
    ...leafFirst(members).flatMap(({ captured }) => {
      const host = hostOf(captured);
      if (captured === null) return [];
      // What is on a relation that is held itself is held with it, in its turn. Not so indexes: they have locks of their own.
      if (host !== null && captured.kind !== "index" && held.has(relationKey(host))) return [];
      return holdStatements(captured, "dropped", planning.timeouts);
    }),
    ...roots.flatMap((each) => holdStatements(each.captured, "dropped", planning.timeouts)),
  ];
  const seen = new Set<string>();
  return statements.filter(({ sql }) => !seen.has(sql) && seen.add(sql));
}

function ordinalGuards(roots: readonly CapturedRoot[], members: readonly JudgedMember[]): readonly Guard[] {
  return roots
    .filter((each) => each.root.moved)
    .flatMap(({ root }) => {
      const name = relationKey(root.current.name);
      const dependents = members
        .filter((each) => each.fate === "recreated" && each.member.uses.some((use) => relationKey(use.object) === name))
        .map((each) => each.member.object)
        .sort(compareObjects);
      return dependents.length === 0 ? [] : [{ kind: "ordinals" as const, view: root.current.name, dependents }];
    });
}

/** What hangs on a retyped column may be printed otherwise and have other types; all else is as it was. */
const RETYPED_ASPECTS: readonly CapturedAspect[] = ["owner", "grants", "options", "comments", "labels", "state"];

function restoredGuards(roots: readonly CapturedRoot[], members: readonly JudgedMember[]): readonly Guard[] {
  const recreated = members.filter((each) => each.fate === "recreated");
  const names = (those: readonly JudgedMember[]) => those.map((each) => each.member.object).sort(compareObjects);
  const changed = new Set<string>();
  for (const each of recreated) {
    const reads = each.member.uses.some((use) => changed.has(relationKey(use.object)));
    if (each.retyped || reads) changed.add(relationKey(each.member.object));
  }
  const [other, same] = [true, false].map((wanted) =>
    recreated.filter((each) => changed.has(relationKey(each.member.object)) === wanted),
  );
  const captured = (objects: readonly JudgedMember["member"]["object"][], aspects: readonly CapturedAspect[]) =>
    objects.length === 0 ? [] : [{ kind: "captured" as const, objects, aspects: [...aspects] }];
  const kept = roots.filter((each) => each.root.change !== null).map((each) => rootObject(each.root));
  return [
    ...captured(names(same ?? []), CAPTURED_ASPECTS),
    ...captured(names(other ?? []), RETYPED_ASPECTS),
    ...captured(kept.sort(compareObjects), ["owner"]),
  ];
}

/** Drops and what comes back, of the members that are told with one root. Indexes and statistics go with their relation. */
export function memberActions(
  planning: Planning,
  root: LadderRoot,
  own: readonly JudgedMember[],
  all: readonly JudgedMember[],
): readonly DraftAction[] {
  const context = restoreContext(planning);
  const lost = own.filter((each) => each.fate === "lost");
  const dropped = leafFirst(own).flatMap((each) => {
    const { captured } = each;
    if (captured === null || each.attached || carriedByHost(each, all, root)) return [];
    return [
      draftAction(root.decision, {
        kind: "drop_object",
        stage: "promotion",
        layer: "outside",
        target: captured.object,
        strategy: each.fate === "lost" ? "drop" : "recreate",
        statements: dropStatements(captured, planning.timeouts),
        downtime: "brief-lock",
        reversible: !lost.includes(each),
        step: "drop_objects",
        place: -each.level,
      }),
    ];
  });
  const restored = own
    .filter((each) => each.fate === "recreated" && !each.attached && !carriedByHost(each, all, root))
    .flatMap((each) => (each.captured === null ? [] : restoreOne(root, each.captured, each.level, all, context)));
  return [...dropped, ...restored];
}

function restoreOne(
  root: LadderRoot,
  captured: Captured,
  level: number,
  all: readonly JudgedMember[],
  context: RestoreContext,
): readonly DraftAction[] {
  const base = { stage: "promotion", strategy: "recreate", step: "restore_objects", place: level } as const;
  const create = (object: Captured) =>
    draftAction(root.decision, {
      ...base,
      kind: "recreate_object",
      layer: "outside",
      // Sorted with the relation that it is on, and after it.
      target: object.object,
      beside: captured.object,
      statements: createStatements(object, context),
      downtime: "brief-lock",
    });
  if (captured.kind !== "materialized_view") return [create(captured)];
  const attached = all.flatMap((each) =>
    each.attached && each.captured !== null && isOn(each, captured.object) ? [each.captured] : [],
  );
  const refresh = refreshStatements(captured, context.timeouts);
  return [
    create(captured),
    ...[...attached].sort((a, b) => compareText(objectKey(a.object), objectKey(b.object))).map(create),
    ...(refresh.length === 0
      ? []
      : [
          draftAction(root.decision, {
            ...base,
            kind: "refresh_materialized_view",
            // Not `outside`: functions that it calls may name things by the authors' search path.
            layer: "virtual",
            target: captured.object,
            beside: captured.object,
            statements: refresh,
            downtime: "rebuild",
          }),
        ]),
  ];
}

function isOn(each: JudgedMember, relation: Captured["object"]): boolean {
  const host = hostOf(each.captured);
  if (host !== null) return relationKey(host) === relationKey(relation);
  return each.member.uses.some((use) => relationKey(use.object) === relationKey(relation));
}

/** Defaults of a view are among its columns and come back with it. */
function carriedByHost({ captured }: JudgedMember, all: readonly JudgedMember[], root: LadderRoot): boolean {
  if (captured?.kind !== "default") return false;
  const host = relationKey(captured.on);
  return host === relationKey(root.current.name) || all.some((each) => relationKey(each.member.object) === host);
}

function leafFirst(members: readonly JudgedMember[]): readonly JudgedMember[] {
  return [...members].sort((a, b) => b.level - a.level || compareObjects(a.member.object, b.member.object));
}
