import { relationKey } from "../base/relation-name.ts";
import { assertNever } from "../base/result.ts";
import type { Reason } from "../plan/decision.ts";
import { listText } from "./object-text.ts";

/** Why something happens to a model: a clause that can stand alone. */
export function describeReason(reason: Reason): string {
  switch (reason.code) {
    case "new_model":
      return "new model";
    case "model_removed":
      return "removed from the project";
    case "kind_changed":
      return `kind changed from ${reason.from} to ${reason.to}`;
    case "partitioning_changed":
      return "partitioning changed";
    case "query_changed":
      return "query changed";
    case "statements_changed":
      return "statements before or after the query changed";
    case "properties_changed":
      return `physical properties changed: ${listText(reason.keys)}`;
    case "seed_changed":
      return "rows of the seed changed";
    case "embedded_changed":
      return `the embedded model ${reason.parent} changed`;
    case "external_columns_changed":
      return `the declared columns of ${reason.parent} changed`;
    case "columns_changed":
      return "columns changed";
    case "parent_differs":
      return reason.rebuilt ? `reads ${reason.parent}, which is rebuilt` : `reads ${reason.parent}, whose rows differ`;
    case "source_replaced":
      return `its source ${reason.parent} was replaced`;
    case "known_version":
      return `the version ${reason.version} is known already and is used again`;
    case "object_missing":
      return `${relationKey(reason.relation)} is gone from the warehouse`;
    case "index_changed":
      return "indexes changed";
    case "storage_changed":
      return `storage settings changed: ${listText(reason.keys)}`;
    case "description_changed":
      return "description changed";
    case "label_changed":
      return `${listText(reason.properties)} changed`;
    case "view_missing":
      return `the view ${relationKey(reason.relation)} is gone from the warehouse`;
    case "new_environment":
      return "new in this environment";
    default:
      return assertNever(reason);
  }
}
