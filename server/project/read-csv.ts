import type { CsvRecord } from "../core/model/read-seed.ts";
import type { CsvSettings } from "../core/model/seed-request.ts";

export type CsvReading =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly reason: string; readonly line: number };

/**
 * RFC 4180 with the dialect settings of pandas. LF, CRLF and CR end a row, a line break inside quotes is data, empty
 * lines are skipped. A quote inside an unquoted value is data; text behind a closing quote is a fault, as is a quote
 * that never closes: both mean that the rows after it can't be told apart.
 */
export function readCsv(text: string, csv: CsvSettings): CsvReading {
  const records: CsvRecord[] = [];
  const { delimiter, quotechar, escapechar } = csv;
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const started = line;
    const start = at;
    const values: string[] = [];
    for (let more = true; more; ) {
      while (csv.skipinitialspace && text.charAt(at) === " ") at += 1;
      let value = "";
      if (text.startsWith(quotechar, at)) {
        const opened = line;
        at += quotechar.length;
        for (let open = true; open; ) {
          if (at >= text.length) return { ok: false, reason: "A quote is opened here and never closed.", line: opened };
          const character = text.charAt(at);
          if (escapechar !== null && character === escapechar && at + 1 < text.length) {
            value += text.charAt(at + 1);
            at += 2;
          } else if (character !== quotechar) {
            if (character === "\n") line += 1;
            value += character;
            at += 1;
          } else if (csv.doublequote && text.charAt(at + 1) === quotechar) {
            value += quotechar;
            at += 2;
          } else {
            open = false;
            at += 1;
          }
        }
        if (at < text.length && text.charAt(at) !== delimiter && lineEnd(text, at, csv) === 0) {
          return { ok: false, reason: "There is text behind a closing quote.", line };
        }
      } else {
        while (at < text.length && text.charAt(at) !== delimiter && lineEnd(text, at, csv) === 0) {
          if (escapechar !== null && text.charAt(at) === escapechar && at + 1 < text.length) at += 1;
          value += text.charAt(at);
          at += 1;
        }
      }
      values.push(value);
      more = text.charAt(at) === delimiter;
      if (more) at += 1;
    }
    if (at > start) records.push({ line: started, values });
    at += lineEnd(text, at, csv);
    line += 1;
  }
  return { ok: true, records };
}

/** Length of the line end at this place; 0 where there is none. */
function lineEnd(text: string, at: number, csv: CsvSettings): number {
  if (csv.lineterminator !== null && csv.lineterminator !== "")
    return text.startsWith(csv.lineterminator, at) ? csv.lineterminator.length : 0;
  const character = text.charAt(at);
  if (character === "\n") return 1;
  if (character !== "\r") return 0;
  return text.charAt(at + 1) === "\n" ? 2 : 1;
}
