import type { Findings, SourceFile } from "../base/source-file.ts";
import type { StatementPart } from "./model-file.ts";
import { textOf } from "./model-file.ts";

/** A statement with its macros replaced, and the way back from its offsets to the file's. */
export interface Expansion {
  readonly text: string;
  readonly toSource: (index: number) => number;
}

/** What `@this_model` stands for until the physical name is known. */
const THIS_MODEL_TEXT = "__weir.this_model";

/**
 * Expands `@this_model`, the one macro there is; any other is reported. Macros must be gone before a parser sees the
 * text: PostgreSQL's grammar takes `@start_ds` for an absolute value without a word. Null where one is left.
 */
export function expandMacros(
  file: SourceFile,
  part: StatementPart,
  findings: Findings,
  reported: Set<string>,
): Expansion | null {
  const pieces: string[] = [];
  const shifts: { readonly from: number; readonly by: number }[] = [];
  let at = part.start;
  let written = 0;
  let complete = true;
  for (const token of part.tokens) {
    // SQLMesh expands @{x} inside quoted names too; as a letter of the name it would be a wrong one without a word.
    const inName = token.kind === "quoted" ? /@\{[^}"]*\}/.exec(textOf(file, token)) : null;
    if (token.kind !== "macro" && inName === null) continue;
    const macro = inName?.[0] ?? textOf(file, token);
    if (inName !== null || !/^@(this_model|\{\s*this_model\s*\})$/i.test(macro)) {
      complete = false;
      if (!reported.has(macro.toLowerCase())) findings.fault("macro_unsupported", { macro }, token.start);
      reported.add(macro.toLowerCase());
      continue;
    }
    const before = file.text.slice(at, token.start);
    pieces.push(before, THIS_MODEL_TEXT);
    written += before.length + THIS_MODEL_TEXT.length;
    at = token.end;
    shifts.push({ from: written, by: at - written });
  }
  if (!complete) return null;
  pieces.push(file.text.slice(at, part.end));
  const first = part.start;
  return {
    text: pieces.join(""),
    toSource: (index) => index + (shifts.findLast((shift) => shift.from <= index)?.by ?? first),
  };
}
