import { assertNever } from "../../base/result.ts";
import { displayObject } from "../../catalog/display-object.ts";
import type { LadderObstacle } from "../action.ts";

/** Codes with their columns, parted by `; `: facts for a sentence, which `describe` makes. */
export function obstacleTexts(obstacles: readonly LadderObstacle[]): string {
  return obstacles.map(obstacleText).join("; ");
}

export function obstacleText(obstacle: LadderObstacle): string {
  switch (obstacle.code) {
    case "column_removed":
      return `column ${obstacle.column} is removed`;
    case "column_renamed":
      return `column ${obstacle.column} is renamed to ${obstacle.to}`;
    case "column_retyped":
      return `column ${obstacle.column} changes from ${obstacle.from} to ${obstacle.to}`;
    case "column_moved":
      return `column ${obstacle.column} moves to position ${obstacle.position}`;
    case "not_a_view":
      return `the name belongs to a ${obstacle.kind.replaceAll("_", " ")}`;
    case "dependent_kind":
      return `${obstacle.object.type} ${displayObject(obstacle.object)} can't be replaced in place`;
    case "row_type":
      return `${displayObject(obstacle.object)} is built on its row type`;
    case "columns_change":
      return `the columns of ${displayObject(obstacle.object)} change`;
    case "recreated_anyway":
      return `${displayObject(obstacle.object)} is made again anyway`;
    case "column_below_retyped":
      return `column ${obstacle.column} changes its type below it`;
    default:
      return assertNever(obstacle);
  }
}
