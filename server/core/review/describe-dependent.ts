import { assertNever } from "../base/result.ts";
import type { DependentReason } from "../plan/dependents.ts";
import type { Dependent } from "../plan/plan.ts";
import { columnsText, listText, objectName } from "./object-text.ts";
import type { DependentView } from "./plan-view.ts";

export function describeDependent(dependent: Dependent): DependentView {
  const { object, owner, managed, of, fate, strategy } = dependent;
  return { object, owner, managed, of, fate, strategy, why: describeWhy(dependent.why) };
}

function describeWhy(why: Dependent["why"]): string {
  const code = why.code as DependentReason;
  const source = listText(why.objects.map((each) => objectName(each.object)));
  const columns = why.objects[0]?.columns ?? [];
  switch (code) {
    case "kept_in_place":
      return `${source} is replaced in place and keeps the columns it uses`;
    case "column_gone":
      return columns === "unknown"
        ? `${source} loses columns, and which it uses isn't known`
        : `uses ${columnsText(columns)}, which ${source} loses`;
    case "column_retyped":
      return columns === "unknown"
        ? `${source} changes types of columns, and which it uses isn't known`
        : `uses ${columnsText(columns)}, whose type changes in ${source}`;
    case "recreated":
      return `keeps all that it uses of ${source}; dropped and brought back as it was`;
    case "used_by_place":
      return `goes by the places of columns, which move in ${source}`;
    case "cant_capture":
      return `can't be brought back as it was, and ${source} can't be replaced in place`;
    case "with_host":
      return `goes with ${source}`;
    case "source_dropped":
      return `${source} is removed`;
    case "reads_fallen":
      return `reads ${source}, which can't stay`;
    case "old_version":
      return `reads ${source} directly and stays on that version`;
    default:
      return assertNever(code);
  }
}
