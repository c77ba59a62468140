import type { Findings } from "../base/source-file.ts";
import type { TokenRange } from "../sql/header.ts";
import { readAssignments, readText, readTexts, unwrapped, writtenText } from "../sql/header-value.ts";
import type { Properties, PropertyValue } from "./model.ts";

/** Keys that are lists even where only one value is given. */
const LISTS = new Set(["indexes"]);

/** `(fillfactor = 70, indexes = ('UNIQUE (id)'))` over the defaults; a value of `none` or `null` takes a default away. */
export function readProperties(
  range: TokenRange,
  property: string,
  defaults: Properties,
  findings: Findings,
): Properties {
  const properties: Record<string, PropertyValue> = { ...defaults };
  for (const { key, keyAt, value } of readAssignments(range, property, findings) ?? []) {
    // Keys become storage parameters or nothing; what can't be one is caught here and not in the warehouse.
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(key)) {
      findings.invalid(`${key} can't be a key of ${property}.`, keyAt);
    } else if (/^(none|null)$/i.test(writtenText(value))) {
      delete properties[key];
    } else {
      properties[key] = LISTS.has(key) || unwrapped(value) !== null ? readTexts(value) : scalarOf(value);
    }
  }
  return properties;
}

function scalarOf(value: TokenRange): PropertyValue {
  const text = readText(value);
  const [only, second] = value.tokens;
  if (only === undefined || second !== undefined) return text;
  if (only.kind === "number" && Number.isFinite(Number(text))) return Number(text);
  if (only.kind === "word" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}
