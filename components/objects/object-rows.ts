import type { PlanView } from "../api/outputs.ts";
import { type Fate, fateOrder } from "../ui/fate.ts";
import { spellName } from "../ui/split-name.ts";
import { uniqueRows } from "./unique-rows.ts";

export type RowGroup = "attention" | "changed" | "rebuilt" | "outside" | "neutral";

/** One object of a plan as the table shows it; `id` is its node in the graph and its name in the address. */
export interface ObjectRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly managed: boolean;
  readonly owner: string | null;
  readonly fate: Fate | null;
  readonly group: RowGroup;
  readonly why: string;
  /** How long its readers may wait, in words. */
  readonly wait: string;
  readonly data: string;
  readonly usedBy: number;
  /** It is in both: replaced or dropped, and a dependent of something else that is. */
  readonly also: Fate | null;
}

export const groupTitle: Readonly<Record<RowGroup, string>> = {
  attention: "Needs attention",
  changed: "Changed",
  rebuilt: "Rebuilt because of them",
  outside: "Outside management",
  neutral: "Neutral",
};

export const groupOrder: readonly RowGroup[] = ["attention", "changed", "rebuilt", "outside", "neutral"];

const fateOfDependent: Readonly<Record<PlanView["dependents"][number]["fate"], Fate>> = {
  kept: "kept",
  replaced: "replace",
  recreated: "recreate",
  blocked: "blocked",
  lost: "lost",
};

// In what people use the fault is mended silently; everywhere else it must be seen.
const strict = process.env.NODE_ENV !== "production" || process.env.NEXT_PUBLIC_WEIR_STRICT === "1";

export function objectRows(view: PlanView): readonly ObjectRow[] {
  const uses = countUses(view);
  const changes = new Map(view.changes.map((change) => [change.model, change]));
  const dependents = new Map(view.dependents.map((each) => [dependentId(each.object, view), each]));
  const fills = new Map(view.backfills.map((each) => [each.model, each]));
  const waits = waitsOf(view);
  const worried = worriedNames(view);
  const rows = view.graph.nodes.map((node): ObjectRow => {
    const change = changes.get(node.id);
    const dependent = dependents.get(node.id);
    const fill = fills.get(node.id);
    const fate = node.mark ?? (dependent === undefined ? null : fateOfDependent[dependent.fate]);
    const own = dependent === undefined ? null : fateOfDependent[dependent.fate];
    const managed = node.managed || node.kind === SOURCE;
    return {
      id: node.id,
      name: nameOf(node),
      kind: kindWord(node.kind),
      managed,
      owner: node.owner,
      fate,
      group: groupOf(fate, managed, change?.change ?? null, worried.has(nameOf(node))),
      why: change?.reasons.join("; ") || dependent?.why || (managed ? "unchanged" : "not affected"),
      wait: waits.get(node.id) ?? "none",
      data: fill === undefined ? "–" : fill.intervals.length > 0 ? `${fill.intervals.length} intervals` : "all rows",
      usedBy: uses.get(node.id) ?? 0,
      also: own !== null && own !== fate && own !== "kept" ? own : null,
    };
  });
  return [...uniqueRows(rows, strict)].sort(
    (a, b) => groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group) || danger(a) - danger(b) || b.usedBy - a.usedBy,
  );
}

type Node = PlanView["graph"]["nodes"][number];

/** What the project reads and doesn't make: not ours, but nothing that we could take down either. */
const SOURCE = "source";

/** Whole, as Postgres spells it. A model's key is that already; other objects come in parts. */
export function nameOf({ id, label, schema, managed, kind }: Node): string {
  if (managed) return id;
  return kind === SOURCE ? id.replace(/^source /, "") : spellName({ schema, name: label });
}

export function kindWord(kind: string): string {
  if (kind === "VIEW (materialized)") return "materialized view";
  return kind.toLowerCase().replaceAll("_", " ");
}

function danger(row: ObjectRow): number {
  return row.fate === null ? fateOrder.length : fateOrder.indexOf(row.fate);
}

/** How the graph spells an outside object: `type schema.name`, quoted or not. */
export function dependentId(object: PlanView["dependents"][number]["object"], view: PlanView): string {
  const spelt = `${object.type} ${spellName(object)}`;
  const plain = `${object.type} ${object.schema}.${object.name}`;
  const model = spellName(object);
  const ids = nodeIds(view);
  return [spelt, plain, model].find((id) => ids.has(id)) ?? spelt;
}

const idsOfView = new WeakMap<PlanView, ReadonlySet<string>>();

function nodeIds(view: PlanView): ReadonlySet<string> {
  const known = idsOfView.get(view);
  if (known !== undefined) return known;
  const ids = new Set(view.graph.nodes.map((node) => node.id));
  idsOfView.set(view, ids);
  return ids;
}

function groupOf(
  fate: Fate | null,
  managed: boolean,
  change: PlanView["changes"][number]["change"] | null,
  worried: boolean,
): RowGroup {
  if (fate === "lost" || fate === "blocked" || fate === "drop" || fate === "recreate" || worried) return "attention";
  if (!managed) return "outside";
  if (change === "added" || change === "modified" || change === "removed") return "changed";
  if (change === "indirect" && fate !== "indirect") return "rebuilt";
  return "neutral";
}

function countUses(view: PlanView): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { from } of view.graph.edges) uses.set(from, (uses.get(from) ?? 0) + 1);
  return uses;
}

const waitWords = { none: "none", "brief-lock": "brief", rebuild: "while rebuilt", unknown: "unknown" } as const;

function waitsOf(view: PlanView): ReadonlyMap<string, string> {
  const waits = new Map<string, string>();
  for (const action of view.actions) {
    if (action.model === null || action.downtime === "none") continue;
    const limit = action.statements.map((each) => each.lockTimeoutMs).find((ms) => ms !== null && ms > 0);
    const words = waitWords[action.downtime];
    waits.set(
      action.model,
      action.downtime === "brief-lock" && limit !== undefined && limit !== null ? `≤ ${limit} ms` : words,
    );
  }
  return waits;
}

/** Objects that a serious hazard or a blocker names. */
function worriedNames(view: PlanView): ReadonlySet<string> {
  const serious = view.hazards.filter(({ severity }) => severity === "high" || severity === "critical");
  return new Set(
    [...serious, ...view.blockers].flatMap(({ objects }) => objects.map(({ object }) => spellName(object))),
  );
}
