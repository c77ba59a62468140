import type { RestoreRights } from "../../catalog/captured.ts";
import { displayObject } from "../../catalog/display-object.ts";
import type { Blocker } from "../hazards/hazard.ts";
import type { Planning } from "../planning.ts";

/**
 * What the applying role lacks to drop an object and bring it back. The dangerous case is the one in between: may drop,
 * may not restore. What is only dropped needs no more than the first.
 */
export function restoreRightsBlockers(
  planning: Planning,
  rights: RestoreRights | null,
  owner: string,
  fate: "recreated" | "lost",
): readonly Blocker[] {
  if (rights === null) return [];
  const { role, superuser } = planning.facts.catalog.server;
  const { object, mayAlter, mayGiveBack, ownerMayCreate, roleMayCreate, grantorsOutOfReach } = rights;
  const lacks = (right: string, on: string, why: string): Blocker => ({
    code: "rights_missing",
    objects: [{ object, owner, columns: [] }],
    details: { role, right, on, why },
  });
  const named = `${object.type} ${displayObject(object)}`;
  const drop = mayAlter ? [] : [lacks("ownership", named, `owned by ${owner}`)];
  if (fate === "lost" || superuser) return drop;
  const back = `to bring back ${named}`;
  return [
    ...drop,
    ...(mayGiveBack ? [] : [lacks("the right to become", `role ${owner}`, `${back} as theirs`)]),
    ...(roleMayCreate ? [] : [lacks("CREATE", `schema ${object.schema}`, back)]),
    ...(ownerMayCreate
      ? []
      : [
          {
            code: "rights_missing" as const,
            objects: [{ object, owner, columns: [] }],
            details: {
              role: owner,
              right: "CREATE",
              on: `schema ${object.schema}`,
              why: `and can't be given back ${named}`,
            },
          },
        ]),
    ...grantorsOutOfReach.map((grantor) =>
      lacks("the right to become", `role ${grantor}`, `${back} with what that role granted on it`),
    ),
  ];
}
