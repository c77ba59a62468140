import type { SeedRows } from "../../ports/project-source.ts";

/** Rows in COPY's text format, a line each. Source of the escapes: PostgreSQL documentation, COPY, "Text Format". */
export function* seedLines(rows: SeedRows["rows"]): Generator<string, void> {
  for (const row of rows) yield `${row.map(cellText).join("\t")}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function cellText(cell: string | null): string {
  return cell === null ? "\\N" : cell.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
