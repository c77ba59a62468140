import type { ObjectRow } from "../objects/object-rows.ts";
import { type Fate, fateOrder } from "../ui/fate.ts";
import { FateSymbol } from "../ui/fate-symbol.tsx";

const meanings: Readonly<Record<Fate, string>> = {
  create: "create",
  change: "change in place",
  replace: "replace",
  drop: "drop",
  recreate: "falls, returns",
  lost: "lost",
  indirect: "indirect, kept",
  metadata: "metadata only",
  unmanaged: "unmanaged",
  blocked: "blocked",
  kept: "outside, kept",
};

/** Only what is in sight is explained. */
export function GraphLegend({ rows }: { readonly rows: readonly ObjectRow[] }) {
  const present = fateOrder.filter((fate) => rows.some((row) => row.fate === fate || row.also === fate));
  return (
    <section className="legend" aria-label="Legend">
      {present.map((fate) => (
        <span key={fate}>
          <FateSymbol fate={fate} small />
          {meanings[fate]}
        </span>
      ))}
      {rows.some(({ managed }) => !managed) && (
        <span>
          <i className="swatch un" />
          unmanaged
        </span>
      )}
      <span>
        <i className="swatch bl" />
        reached
      </span>
      <span>
        <i className="swatch mb" />
        assumed
      </span>
    </section>
  );
}
