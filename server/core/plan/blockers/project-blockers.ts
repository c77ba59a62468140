import { shortId } from "../../base/hash.ts";
import { byteLength, compareText, MAX_IDENTIFIER_BYTES, relationKey } from "../../base/relation-name.ts";
import { findNameClaims } from "../../environment/check-virtual-names.ts";
import { virtualName } from "../../environment/virtual-name.ts";
import { asksForCascade } from "../../sql/cascade.ts";
import type { SqlParser } from "../../sql/sql-parser.ts";
import type { Blocker } from "../hazards/hazard.ts";
import { objectOf, type Planning } from "../planning.ts";

/** What is wrong with the whole: names that clash, a state that isn't this warehouse's, an environment of others. */
export function projectBlockers(planning: Planning, parser: SqlParser): readonly Blocker[] {
  return [
    ...claimedNames(planning),
    ...longNames(planning),
    ...stateDisagrees(planning),
    ...otherProject(planning),
    ...authorCascades(planning, parser),
  ];
}

function claimedNames(planning: Planning): readonly Blocker[] {
  const { project, state, request } = planning.facts;
  const claims = findNameClaims(project.name, project.models, request.environment, project.naming, state.others);
  return claims.map((claim) => ({
    code: "name_claimed",
    objects: [],
    details: { view: claim.relation, model: claim.models.join(", "), by: claim.others.join(", ") },
  }));
}

function longNames(planning: Planning): readonly Blocker[] {
  const { project, request } = planning.facts;
  const found = new Map<string, string>();
  for (const decision of planning.decisions) {
    const model = planning.modelOf.get(decision.model);
    if (model === undefined || decision.next === null) continue;
    const names = decision.next.view ?? virtualName(model.name, request.environment, project.naming);
    const physical = decision.next.relation;
    for (const name of [names.schema, names.name, physical?.schema ?? "", physical?.name ?? ""]) {
      if (byteLength(name) > MAX_IDENTIFIER_BYTES) found.set(name, decision.model);
    }
  }
  return [...found]
    .sort(([a], [b]) => byteLength(b) - byteLength(a) || compareText(a, b))
    .map(([name, model]) => ({
      code: "name_too_long",
      objects: [],
      details: { name, model, bytes: String(byteLength(name)), limit: String(MAX_IDENTIFIER_BYTES) },
    }));
}

/** The warehouse's own record of its last promotion; another one means that one of the two was restored from a backup. */
function stateDisagrees(planning: Planning): readonly Blocker[] {
  const { environment } = planning.facts.state;
  const marker = planning.facts.catalog.environmentMarker;
  const state = `promotion ${environment.promotion}${environment.planId === null ? "" : ` by plan ${environment.planId}`}`;
  const details = { environment: environment.name, state };
  if (marker === null) {
    if (environment.promotion === 0) return [];
    return [{ code: "state_disagrees", objects: [], details: { ...details, warehouse: "no promotion" } }];
  }
  const plan = shortId(marker.digest, 12);
  if (marker.promotion === environment.promotion && (environment.planId === null || environment.planId === plan))
    return [];
  const warehouse = `promotion ${marker.promotion} by plan ${plan}`;
  return [{ code: "state_disagrees", objects: [], details: { ...details, warehouse } }];
}

/** Two projects without a name share one place in state: a plan of the wrong folder would remove the other's models. */
export function looksLikeOtherProject(
  planning: Planning,
): { readonly served: number; readonly removed: number } | null {
  const { project, state } = planning.facts;
  if (project.name !== "") return null;
  const served = state.environment.models.filter((each) => each.view !== null);
  const removed = served.filter((each) => !planning.modelOf.has(each.model));
  const other = served.length > 0 && (removed.length === served.length || removed.length * 2 > served.length);
  return other ? { served: served.length, removed: removed.length } : null;
}

function otherProject(planning: Planning): readonly Blocker[] {
  const found = looksLikeOtherProject(planning);
  if (found === null || planning.facts.request.options.replaceProject) return [];
  const objects = planning.decisions
    .filter((decision) => decision.change === "removed" && decision.previous?.view != null)
    .flatMap((decision) => (decision.previous?.view == null ? [] : [decision.previous.view]))
    .sort((a, b) => compareText(relationKey(a), relationKey(b)))
    .map((view) => ({ object: objectOf(view, "view"), owner: null, columns: [] }));
  const environment = planning.facts.request.environment;
  return [
    {
      code: "other_project",
      objects,
      details: { environment, served: String(found.served), removed: String(found.removed) },
    },
  ];
}

/** An author's DROP … CASCADE would take what nobody has reviewed. Said of every model, whether it runs in this plan or later. */
function authorCascades(planning: Planning, parser: SqlParser): readonly Blocker[] {
  return planning.facts.project.models.flatMap((model) =>
    [...model.preStatements, ...model.postStatements].flatMap((statement): readonly Blocker[] => {
      const parsed = parser.parse(statement.expanded);
      if (!parsed.ok || !parsed.statements.some((each) => asksForCascade(each.node))) return [];
      const { path, line } = statement.place;
      return [
        {
          code: "author_cascade",
          objects: [],
          details: { model: model.key, path, line: String(line ?? 1), statement: statement.expanded.trim() },
        },
      ];
    }),
  );
}
