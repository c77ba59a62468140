import type { CatalogRelation, Grant } from "../catalog/catalog.ts";
import { type Access, setAccessStatements } from "../engine/postgres/set-access.ts";
import { kindCapabilities } from "../model/model-kind.ts";
import { draftAction } from "./draft-action.ts";
import { catalogRelation, type DraftAction, type Materialised, objectOf, type Planning } from "./planning.ts";
import { relationType, sqlType } from "./relation-type.ts";

/**
 * What a version must let people do before readers are sent to it: all that the one before it let them do, and
 * SELECT for whoever the virtual view reads as: its owner, and under security_invoker everybody who may use it.
 */
export function accessActions(planning: Planning, own: Materialised): readonly DraftAction[] {
  const { decision, model, next, previous } = own;
  if (decision.outcome === "keep" && !decision.create) return [];
  const before = catalogRelation(planning, previous?.relation);
  const view = catalogRelation(planning, previous?.view);
  const present = decision.create ? null : catalogRelation(planning, next.relation);
  const access = missingAccess(
    planning.facts.catalog.server.role,
    present,
    before,
    view,
    next.columns.map((each) => each.name),
  );
  if (access.owner === null && access.grants.length === 0 && access.columnGrants.length === 0) return [];
  const type = sqlType(kindCapabilities[model.kind.kind].relation ?? "view");
  return [
    draftAction(decision, {
      kind: "set_access",
      stage: "create",
      layer: "physical",
      target: objectOf(next.relation, relationType(model.kind.kind)),
      statements: setAccessStatements({ relation: next.relation, type }, access, planning.timeouts),
    }),
  ];
}

function missingAccess(
  role: string,
  present: CatalogRelation | null,
  before: CatalogRelation | null,
  view: CatalogRelation | null,
  columns: readonly string[],
): Access {
  const ownerNow = present?.owner ?? role;
  const owner = before !== null && before.owner !== ownerNow ? before.owner : null;
  const futureOwner = owner ?? ownerNow;
  const wanted = [
    ...(before?.grants ?? []).filter((grant) => grant.grantee !== before?.owner),
    ...readersOf(view, futureOwner),
  ].filter((grant) => grant.grantee !== futureOwner);
  const columnGrants = (before?.columns ?? [])
    .filter((column) => columns.includes(column.name))
    .flatMap((column) => column.grants.map((grant) => ({ column: column.name, grant })))
    .filter(({ column, grant }) => !holdsColumn(present, column, grant));
  return { owner, grants: distinct(wanted).filter((grant) => !holds(present?.grants ?? [], grant)), columnGrants };
}

function readersOf(view: CatalogRelation | null, grantor: string): readonly Grant[] {
  if (view === null) return [];
  const select = (grantee: string): Grant => ({ grantor, grantee, privilege: "SELECT", grantable: false });
  const invoker = view.options.some((option) => /^security_invoker=(true|on|1|yes)$/i.test(option));
  const grantees = invoker
    ? [...view.grants, ...view.columns.flatMap((column) => column.grants)]
        .filter((grant) => grant.privilege === "SELECT")
        .map((grant) => grant.grantee)
    : [];
  return [view.owner, ...grantees].map(select);
}

function holds(grants: readonly Grant[], wanted: Grant): boolean {
  return grants.some((grant) => sameGrant(grant, wanted) && (grant.grantable || !wanted.grantable));
}

function holdsColumn(relation: CatalogRelation | null, column: string, wanted: Grant): boolean {
  return holds(relation?.columns.find((each) => each.name === column)?.grants ?? [], wanted);
}

/** One grant a grantee and privilege, the one with the grant option where there are both. */
function distinct(grants: readonly Grant[]): readonly Grant[] {
  return grants.filter(
    (grant, index) =>
      !grants.some((other, place) => {
        if (!sameGrant(other, grant) || place === index) return false;
        return other.grantable === grant.grantable ? place < index : other.grantable;
      }),
  );
}

function sameGrant(a: Grant, b: Grant): boolean {
  return a.grantee === b.grantee && a.privilege === b.privilege;
}
