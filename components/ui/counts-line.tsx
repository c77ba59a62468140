import type { ShownPlan } from "../api/outputs.ts";
import { type Fate, fateCount } from "./fate.ts";
import { FateSymbol } from "./fate-symbol.tsx";

export type Summary = ShownPlan["view"]["summary"];

/** Create, replace, drop, recreate, lost: in this order everywhere; drop and lost also when there are none. */
export function countsOf(
  summary: Summary,
): readonly { readonly fate: Fate; readonly count: number; readonly text: string }[] {
  const { create, replace, drop, recreate, recreateUnmanaged, lost } = summary;
  const unmanaged = recreateUnmanaged > 0 ? ` (${recreateUnmanaged} unmanaged)` : "";
  const all: readonly (readonly [Fate, number, string])[] = [
    ["create", create, ""],
    ["replace", replace, ""],
    ["drop", drop, ""],
    ["recreate", recreate, unmanaged],
    ["lost", lost, ""],
  ];
  return all.map(([fate, count, more]) => ({ fate, count, text: `${count} ${fateCount[fate]}${more}` }));
}

/** Zeros are said of drops and losses alone: that there are none is what a reader looks for. */
export function spokenCounts(summary: Summary) {
  return countsOf(summary).filter(({ fate, count }) => count > 0 || fate === "drop" || fate === "lost");
}

export function CountSymbols({ summary }: { readonly summary: Summary }) {
  return (
    <span className="cl num">
      {spokenCounts(summary).map(({ fate, count, text }) => (
        <span key={fate} className={count === 0 ? "z" : undefined}>
          {count > 0 && <FateSymbol fate={fate} small />}
          {text}
        </span>
      ))}
    </span>
  );
}
