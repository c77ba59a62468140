import { assertNever } from "../../base/result.ts";
import type { Model } from "../../model/model.ts";
import type { Decision } from "../decision.ts";
import type { Blocker } from "../hazards/hazard.ts";
import type { Planning } from "../planning.ts";

/** A model whose columns couldn't be found out: because its query doesn't run, or because something to run it on is missing. */
export function shapeBlockers(planning: Planning, decision: Decision): readonly Blocker[] {
  const shape = planning.facts.shapes.get(decision.model);
  const model = planning.modelOf.get(decision.model);
  if (shape === undefined || shape.ok || model === undefined) return [];
  switch (shape.reason) {
    case "model": {
      const details = {
        model: model.key,
        message: shape.message,
        sqlstate: shape.sqlstate,
        ...placeOf(model, shape.offset),
      };
      return [{ code: "model_broken", objects: [], details }];
    }
    case "missing":
      return [
        { code: "shape_missing", objects: [], details: { model: model.key, path: model.path, what: shape.what } },
      ];
    case "parent":
      return [];
    default:
      return assertNever(shape);
  }
}

/** Where in the file an offset of the expanded query stands; exact as long as nothing was expanded before it. */
function placeOf(model: Model, offset: number | null): { readonly [name: string]: string } {
  if (model.query === null) return { path: model.path };
  const { path, line, column } = model.query.place;
  if (offset === null || line === null) return { path, line: String(line ?? 1) };
  const before = model.query.expanded.slice(0, offset).split("\n");
  const last = before.at(-1) ?? "";
  const first = before.length === 1;
  return {
    path,
    line: String(line + before.length - 1),
    column: String((first ? (column ?? 1) - 1 : 0) + [...last].length + 1),
  };
}
