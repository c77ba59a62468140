"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Eye } from "lucide-react";
import { Fragment } from "react";
import { FateSymbol, FateWord } from "../ui/fate-symbol.tsx";
import { ObjectName } from "../ui/object-name.tsx";
import { OwnerTag } from "../ui/owner-tag.tsx";
import { groupTitle, type ObjectRow, type RowGroup } from "./object-rows.ts";

export interface TableSection {
  readonly group: RowGroup;
  readonly rows: readonly ObjectRow[];
  /** Folded: counted, not listed. */
  readonly folded: boolean;
}

interface ObjectsTableProps {
  readonly caption: string;
  readonly sections: readonly TableSection[];
  readonly selected: string | null;
  readonly seen: ReadonlySet<string>;
  readonly hrefOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
  readonly onUnfold: (open: boolean) => void;
  /**
   * What scrolls, as state and not as a ref: refs are set after the effects of what is inside, and a list that finds no
   * pane at its first look would stay empty until something else is drawn.
   */
  readonly pane: HTMLElement | null;
}

type Entry =
  | { readonly kind: "group"; readonly section: TableSection }
  | { readonly kind: "row"; readonly row: ObjectRow };

/** Beyond this only the rows in view are in the page. */
const VIRTUAL_FROM = 200;
const COLUMNS = 8;

export function ObjectsTable(props: ObjectsTableProps) {
  const { caption, sections, pane } = props;
  const entries = sections.flatMap((section): Entry[] => [
    { kind: "group", section },
    ...(section.folded ? [] : section.rows.map((row): Entry => ({ kind: "row", row }))),
  ]);
  const virtual = entries.length > VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => pane,
    estimateSize: () => 32,
    overscan: 24,
    enabled: virtual,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const shown = virtual ? entries.slice(first?.index ?? 0, (last?.index ?? -1) + 1) : entries;
  const above = virtual ? (first?.start ?? 0) : 0;
  const below = virtual ? virtualizer.getTotalSize() - (last?.end ?? 0) : 0;
  return (
    <table className="rows" aria-rowcount={entries.length}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col" className="c-act">
            Action
          </th>
          <th scope="col" className="c-kind">
            Kind
          </th>
          <th scope="col" className="c-why">
            Why
          </th>
          <th scope="col" className="c-wait r">
            Wait
          </th>
          <th scope="col" className="c-data r">
            Data
          </th>
          <th scope="col" className="c-use r">
            Used by
          </th>
          <th scope="col" className="c-seen">
            Seen
          </th>
        </tr>
      </thead>
      <tbody>
        {above > 0 && <Spacer height={above} />}
        {shown.map((entry) =>
          entry.kind === "group" ? (
            <GroupHead key={`group ${entry.section.group}`} section={entry.section} onUnfold={props.onUnfold} />
          ) : (
            <Row key={entry.row.id} row={entry.row} {...props} />
          ),
        )}
        {below > 0 && <Spacer height={below} />}
      </tbody>
    </table>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return (
    <tr>
      <td colSpan={COLUMNS} style={{ height, padding: 0 }} />
    </tr>
  );
}

interface GroupHeadProps {
  readonly section: TableSection;
  readonly onUnfold: (open: boolean) => void;
}

function GroupHead({ section, onUnfold }: GroupHeadProps) {
  const { group, rows, folded } = section;
  return (
    <tr className="group">
      <th colSpan={COLUMNS} scope="rowgroup">
        {group === "neutral" ? (
          <button className="link unfold" type="button" aria-expanded={!folded} onClick={() => onUnfold(folded)}>
            <ChevronRight className="i s" aria-hidden="true" />
            {rows.length} neutral object{rows.length === 1 ? "" : "s"} {folded ? "folded" : "shown"}
          </button>
        ) : (
          <>
            {groupTitle[group]} <span className="count">{rows.length}</span>
          </>
        )}{" "}
        {group === "neutral" && <span className="quiet">{neutralWords(rows)}</span>}
      </th>
    </tr>
  );
}

function neutralWords(rows: readonly ObjectRow[]): string {
  const count = (fate: ObjectRow["fate"]) => rows.filter((row) => row.fate === fate).length;
  const parts = [
    [count("metadata"), "metadata only"],
    [count("indirect"), "indirect, kept"],
    [count(null), "unchanged"],
  ] as const;
  return parts.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : [])).join(", ");
}

function Row({ row, selected, seen, hrefOf, onOpen }: ObjectsTableProps & { readonly row: ObjectRow }) {
  return (
    <tr aria-selected={row.id === selected}>
      <td>
        <span className="obj">
          {row.fate === null ? <span className="sym none" aria-hidden="true" /> : <FateSymbol fate={row.fate} label />}
          <span className="on">
            <a
              href={hrefOf(row.id)}
              data-row
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onOpen(row.id);
              }}
            >
              <ObjectName name={row.name} />
            </a>
            {row.also !== null && <FateSymbol fate={row.also} small label />}
            {!row.managed && <OwnerTag owner={row.owner} />}
            <span className="sub">{row.why}</span>
          </span>
        </span>
      </td>
      <td className="c-act">
        {row.fate === null ? <span className="muted">unchanged</span> : <FateWord fate={row.fate} />}
      </td>
      <td className="c-kind kind">{row.kind}</td>
      <td className="c-why t2">{row.why}</td>
      <td className="c-wait r">{row.wait}</td>
      <td className="c-data r">{row.data}</td>
      <td className="c-use r">{row.usedBy}</td>
      <td className="c-seen">
        {seen.has(row.id) ? (
          <Fragment>
            <Eye className="i s ok" aria-hidden="true" />
            <span className="sr">seen</span>
          </Fragment>
        ) : (
          <span className="unseen">
            –<span className="sr">not seen yet</span>
          </span>
        )}
      </td>
    </tr>
  );
}
