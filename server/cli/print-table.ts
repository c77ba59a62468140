import type { Paint } from "./paint.ts";

export interface TableColumn {
  readonly title: string;
  /** Numbers stand right, so that their digits line up. */
  readonly align: "left" | "right";
}

/** Columns as wide as their widest cell, two blanks apart, nothing after the last one. Cells hold no colours. */
export function printTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => [...(row[index] ?? "")].length)),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? "";
        const gap = " ".repeat(Math.max(0, (widths[index] ?? 0) - [...cell].length));
        return column.align === "right" ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  const title = line(columns.map((column) => column.title));
  return [paint("quiet", title), ...rows.map(line)].join("\n");
}
