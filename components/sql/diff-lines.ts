/** One row of a side-by-side diff; a missing side is a gap. Line numbers count from 1. */
export type DiffRow =
  | { readonly kind: "same"; readonly before: number; readonly after: number }
  | { readonly kind: "change"; readonly before: number | null; readonly after: number | null };

/** A run of rows, or a run of equal rows that is folded. */
export type DiffBlock =
  | { readonly kind: "rows"; readonly rows: readonly DiffRow[] }
  | { readonly kind: "fold"; readonly rows: readonly DiffRow[] };

const CONTEXT = 3;
const SMALLEST_FOLD = 4;

/** Longest common subsequence by lines, after cutting off what is equal at both ends. */
export function diffRows(before: readonly string[], after: readonly string[]): readonly DiffRow[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const rows: DiffRow[] = [];
  for (let line = 1; line <= head; line += 1) rows.push({ kind: "same", before: line, after: line });
  rows.push(...middleRows(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head));
  for (let line = tail; line > 0; line -= 1) {
    rows.push({ kind: "same", before: before.length - line + 1, after: after.length - line + 1 });
  }
  return rows;
}

function middleRows(before: readonly string[], after: readonly string[], offset: number): readonly DiffRow[] {
  const lengths = commonLengths(before, after);
  const rows: DiffRow[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      rows.push({ kind: "change", before: removed[index] ?? null, after: added[index] ?? null });
    }
    removed = [];
    added = [];
  };
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    if (left < before.length && right < after.length && before[left] === after[right]) {
      flush();
      rows.push({ kind: "same", before: offset + left + 1, after: offset + right + 1 });
      left += 1;
      right += 1;
    } else if (
      right >= after.length ||
      (left < before.length && at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      removed.push(offset + left + 1);
      left += 1;
    } else {
      added.push(offset + right + 1);
      right += 1;
    }
  }
  flush();
  return rows;
}

type Lengths = readonly Uint32Array[];

function at(lengths: Lengths, left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}

function commonLengths(before: readonly string[], after: readonly string[]): Lengths {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const row = lengths[left];
    if (row === undefined) continue;
    for (let right = after.length - 1; right >= 0; right -= 1) {
      row[right] =
        before[left] === after[right]
          ? at(lengths, left + 1, right + 1) + 1
          : Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1));
    }
  }
  return lengths;
}

/** Equal lines away from every change are folded, unless so few that the fold would save nothing. */
export function foldRows(rows: readonly DiffRow[]): readonly DiffBlock[] {
  const near = rows.map((_, index) =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((row) => row.kind === "change"),
  );
  const blocks: { kind: DiffBlock["kind"]; rows: DiffRow[] }[] = [];
  rows.forEach((row, index) => {
    const kind = near[index] === true ? "rows" : "fold";
    const last = blocks.at(-1);
    if (last?.kind === kind) last.rows.push(row);
    else blocks.push({ kind, rows: [row] });
  });
  return blocks.map((block) => (block.rows.length < SMALLEST_FOLD ? { kind: "rows", rows: block.rows } : block));
}

/** The part of each line that differs from the other, as [from, to) in characters; null where they have little in common. */
export function changedPart(before: string, after: string): { readonly before: Span; readonly after: Span } | null {
  const words = (line: string) => line.match(/\w+|\s+|[^\w\s]/g) ?? [];
  const left = words(before);
  const right = words(after);
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left.at(-1 - tail) === right.at(-1 - tail))
    tail += 1;
  const span = (parts: readonly string[]): Span => [
    parts.slice(0, head).join("").length,
    parts.slice(0, parts.length - tail).join("").length,
  ];
  return { before: span(left), after: span(right) };
}

export type Span = readonly [number, number];
