import "server-only";
import { Fragment, type ReactNode } from "react";
import { changedPart, type DiffBlock, type DiffRow, diffRows, foldRows, type Span } from "./diff-lines.ts";
import { DiffView } from "./diff-view.tsx";
import { highlightSql, type Token } from "./highlight-sql.ts";
import { SqlLine } from "./sql-line.tsx";

interface TextVersion {
  readonly version: string | null;
  readonly text: string;
  readonly path: string;
}

interface DefinitionDiffProps {
  readonly previous: TextVersion | null;
  readonly current: TextVersion | null;
  readonly environment: string;
}

interface Side {
  readonly lines: readonly string[];
  readonly tokens: readonly (readonly Token[])[];
}

async function sideOf(version: TextVersion | null): Promise<Side> {
  const text = version === null ? "" : version.text.replace(/\n$/, "");
  return { lines: text === "" ? [] : text.split("\n"), tokens: text === "" ? [] : await highlightSql(text) };
}

/** What the model's text was and is. Rows are ours, colours Shiki's; none of it runs in the browser. */
export async function DefinitionDiff({ previous, current, environment }: DefinitionDiffProps) {
  const [before, after] = await Promise.all([sideOf(previous), sideOf(current)]);
  const rows = diffRows(before.lines, after.lines);
  const blocks = foldRows(rows);
  const added = rows.filter((row) => row.kind === "change" && row.after !== null).length;
  const removed = rows.filter((row) => row.kind === "change" && row.before !== null).length;
  const note =
    added + removed === 0
      ? "No difference in its own text"
      : `${removed} line${removed === 1 ? "" : "s"} removed, ${added} added`;
  const captions = { before: `${environment} now`, after: "this plan" };
  return (
    <DiffView
      note={note}
      path={current?.path ?? previous?.path ?? ""}
      side={
        <div className="diff">
          <div className="side">
            <Caption words={captions.before} version={previous} />
            <Blocks blocks={blocks} line={(row) => <Half row={row} which="before" before={before} after={after} />} />
          </div>
          <div className="side">
            <Caption words={captions.after} version={current} />
            <Blocks blocks={blocks} line={(row) => <Half row={row} which="after" before={before} after={after} />} />
          </div>
        </div>
      }
      unified={
        <div className="diff one">
          <div className="side">
            <Caption words={`${captions.before} → ${captions.after}`} version={current ?? previous} />
            <Blocks blocks={unify(blocks)} line={(row) => <Whole row={row} before={before} after={after} />} />
          </div>
        </div>
      }
    />
  );
}

function Caption({ words, version }: { readonly words: string; readonly version: TextVersion | null }) {
  return (
    <div className="cap">
      <span>{words}</span>
      <span className="mono">{version === null ? "none" : (version.version ?? "")}</span>
    </div>
  );
}

function keyOf(row: DiffRow): string {
  return `${row.before ?? "–"} ${row.after ?? "–"}`;
}

interface BlocksProps {
  readonly blocks: readonly DiffBlock[];
  readonly line: (row: DiffRow) => ReactNode;
}

function Blocks({ blocks, line }: BlocksProps) {
  return blocks.map((block, index) => {
    const rows = block.rows.map((row) => <Fragment key={keyOf(row)}>{line(row)}</Fragment>);
    const first = block.rows[0];
    if (block.kind === "rows" || first === undefined)
      return <Fragment key={`rows ${first === undefined ? "" : keyOf(first)}`}>{rows}</Fragment>;
    return (
      <details key={`fold ${keyOf(first)}`} className="folded" data-fold={index}>
        <summary className="fold">{block.rows.length} unchanged lines folded</summary>
        {rows}
      </details>
    );
  });
}

/** Removed lines of a run of changes first, then the added ones, as people read unified diffs. */
function unify(blocks: readonly DiffBlock[]): readonly DiffBlock[] {
  return blocks.map((block) => {
    if (block.kind === "fold") return block;
    const rows: DiffRow[] = [];
    let added: DiffRow[] = [];
    for (const row of block.rows) {
      if (row.kind === "change") {
        if (row.before !== null) rows.push({ kind: "change", before: row.before, after: null });
        if (row.after !== null) added.push({ kind: "change", before: null, after: row.after });
      } else {
        rows.push(...added, row);
        added = [];
      }
    }
    return { kind: "rows", rows: [...rows, ...added] };
  });
}

interface LineProps {
  readonly row: DiffRow;
  readonly before: Side;
  readonly after: Side;
}

function Half({ row, which, before, after }: LineProps & { readonly which: "before" | "after" }) {
  const number = row[which];
  if (number === null) return <div className="ln void" aria-hidden="true" />;
  const side = which === "before" ? before : after;
  return (
    <Line
      number={number}
      sign={row.kind === "same" ? "" : which === "before" ? "-" : "+"}
      side={side}
      mark={markOf(row, before, after)?.[which] ?? null}
    />
  );
}

function Whole({ row, before, after }: LineProps) {
  if (row.after === null && row.before !== null) return <Line number={row.before} sign="-" side={before} mark={null} />;
  if (row.after === null) return null;
  return <Line number={row.after} sign={row.kind === "same" ? "" : "+"} side={after} mark={null} />;
}

function markOf(row: DiffRow, before: Side, after: Side) {
  if (row.kind === "same" || row.before === null || row.after === null) return null;
  return changedPart(before.lines[row.before - 1] ?? "", after.lines[row.after - 1] ?? "");
}

interface SqlRowProps {
  readonly number: number;
  readonly sign: "" | "+" | "-";
  readonly side: Side;
  readonly mark: Span | null;
}

function Line({ number, sign, side, mark }: SqlRowProps) {
  return (
    <div className={`ln${sign === "+" ? " add" : sign === "-" ? " del" : ""}`}>
      <span>{number}</span>
      <span>{sign}</span>
      <span>
        <SqlLine tokens={side.tokens[number - 1] ?? []} mark={mark} />
      </span>
    </div>
  );
}
