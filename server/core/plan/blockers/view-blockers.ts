import { relationKey } from "../../base/relation-name.ts";
import type { CatalogRelation } from "../../catalog/catalog.ts";
import type { ModelKey } from "../../model/model-name.ts";
import type { LadderObstacle } from "../action.ts";
import type { Blocker } from "../hazards/hazard.ts";
import type { Carried } from "../ladder/choose-rung.ts";
import type { RootOutcome } from "../ladder/climb.ts";
import { obstacleTexts } from "../ladder/obstacle-text.ts";
import { managedAs, objectOf, type Planning } from "../planning.ts";
import type { VirtualChange } from "../virtual-change.ts";

/** Why a name can't become what the project wants. */
export function viewBlockers(
  planning: Planning,
  model: ModelKey,
  change: VirtualChange,
  outcome: RootOutcome | null,
): readonly Blocker[] {
  if (change.manner === "not_ours") return foreignObject(planning, model, change);
  if (outcome === null) return [];
  // Without having been captured it would lose what hangs on it.
  return outcome.captured === null && change.current !== null
    ? [...outcome.blockers, carriedBlocker(model, change.current, change.carried, change.obstacles)]
    : outcome.blockers;
}

function carriedBlocker(
  model: ModelKey,
  view: CatalogRelation,
  carried: readonly Carried[],
  obstacles: readonly LadderObstacle[],
): Blocker {
  const columns = view.columns.map((column) => column.name);
  return {
    code: "view_carries_access",
    objects: [{ object: objectOf(view.name, "view"), owner: view.owner, columns }],
    details: {
      view: relationKey(view.name),
      model,
      carried: carried.map((each) => each.text).join("; "),
      obstacles: obstacleTexts(obstacles),
    },
  };
}

/** A name that Weir itself gave to another model is `name_claimed`, found for the whole project at once. */
function foreignObject(planning: Planning, model: ModelKey, change: VirtualChange): readonly Blocker[] {
  const object = objectOf(change.view, (change.current?.kind ?? "view").replaceAll("_", " "));
  if (managedAs(planning, object) !== null) return [];
  const affected = { object, owner: change.current?.owner ?? null, columns: [] };
  const details = { view: relationKey(change.view), model };
  return [{ code: "environment_foreign_object", objects: [affected], details }];
}
