import { ArrowDown, ArrowUp, X } from "lucide-react";
import Link from "next/link";
import type { ObjectRow } from "../objects/object-rows.ts";
import { fateOrder, fateWord } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";
import { KeyCap } from "../ui/key-cap.tsx";
import { objectLink } from "../ui/links.ts";
import type { Blast } from "./flow-elements.ts";

interface GraphPeekProps {
  readonly planId: string;
  readonly row: ObjectRow;
  readonly rows: readonly ObjectRow[];
  readonly blast: Blast;
  readonly onClose: () => void;
  readonly onGrow: (direction: "up" | "down") => void;
}

/** The focused object, what it reaches, and the ways on. */
export function GraphPeek({ planId, row, rows, blast, onClose, onGrow }: GraphPeekProps) {
  const reached = rows.filter(({ id }) => id !== row.id && (blast.certain.has(id) || blast.assumed.has(id)));
  const counts = fateOrder
    .map((fate) => ({ fate, count: reached.filter((each) => each.fate === fate).length }))
    .filter(({ count }) => count > 0);
  const untouched = reached.filter(({ fate }) => fate === null).length;
  return (
    <section className="peek" aria-label="Focused object">
      <div className="row">
        {row.fate !== null && <FateSymbol fate={row.fate} label />}
        <b className="mono">{row.name}</b>
        <span className="grow" />
        <button className="icon-btn" type="button" data-key="Escape" aria-label="Clear the focus" onClick={onClose}>
          <X className="i s" aria-hidden="true" />
        </button>
      </div>
      <p className="t2">{row.why}</p>
      <p className="t2">
        {reached.length === 0
          ? "Nothing shown here reads it."
          : `Reaches ${reached.length} object${reached.length === 1 ? "" : "s"}:`}
      </p>
      <ul>
        {counts.map(({ fate, count }) => (
          <li key={fate}>
            <FateSymbol fate={fate} small />
            <b className="num">{count}</b> {fateWord[fate]}
          </li>
        ))}
        {untouched > 0 && (
          <li>
            <b className="num">{untouched}</b> unchanged
          </li>
        )}
      </ul>
      {blast.assumed.size > 0 && (
        <p className="muted">{blast.assumed.size} of them only because the columns that are used couldn't be told.</p>
      )}
      <div className="row">
        <Link className="btn small" href={objectLink(planId, row.id, "objects")}>
          Open evidence
        </Link>
        <button
          className="btn quiet small"
          type="button"
          data-key="u"
          aria-label="One hop up"
          onClick={() => onGrow("up")}
        >
          <ArrowUp className="i s" aria-hidden="true" />
          <KeyCap>u</KeyCap>
        </button>
        <button
          className="btn quiet small"
          type="button"
          data-key="d"
          aria-label="One hop down"
          onClick={() => onGrow("down")}
        >
          <ArrowDown className="i s" aria-hidden="true" />
          <KeyCap>d</KeyCap>
        </button>
      </div>
    </section>
  );
}
