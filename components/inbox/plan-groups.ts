import type { PlanCard } from "../api/outputs.ts";

export interface PlanGroup {
  readonly title: string;
  readonly cards: readonly PlanCard[];
}

const danger = { critical: 0, high: 1, moderate: 2, low: 3 } as const;

/** Riskiest first, then newest. */
function byDanger(a: PlanCard, b: PlanCard): number {
  return danger[a.risk.level] - danger[b.risk.level] || b.now.localeCompare(a.now);
}

function byAge(a: PlanCard, b: PlanCard): number {
  return b.stateAt.localeCompare(a.stateAt);
}

export type InboxTab = "waiting" | "running" | "done";

export function inboxGroups(cards: readonly PlanCard[]): Readonly<Record<InboxTab, readonly PlanGroup[]>> {
  const open = cards.filter(({ state }) => state === "open").sort(byDanger);
  const approved = cards.filter(({ state }) => state === "approved").sort(byDanger);
  const running = cards.filter(({ state }) => state === "applying").sort(byAge);
  const failed = cards.filter(({ state }) => state === "failed").sort(byAge);
  const stale = cards.filter(({ state }) => state === "stale").sort(byAge);
  const done = cards
    .filter(({ state }) => !["open", "approved", "applying", "failed", "stale"].includes(state))
    .sort(byAge);
  const groups = (...all: readonly PlanGroup[]) => all.filter((group) => group.cards.length > 0);
  return {
    waiting: groups(
      { title: "Waiting for a decision", cards: open.filter(({ result }) => result === "applicable") },
      { title: "Approved, ready to start", cards: approved },
      { title: "Failed, to be resumed or planned again", cards: failed },
      { title: "Blocked or out of date", cards: [...open.filter(({ result }) => result !== "applicable"), ...stale] },
      { title: "Running now", cards: running },
    ),
    running: groups({ title: "Running now", cards: running }),
    done: groups({ title: "Done", cards: done }),
  };
}

/** What is true and what it asks. */
export function inboxSentence(cards: readonly PlanCard[]): string {
  const open = cards.filter(({ state, result }) => state === "open" && result === "applicable").sort(byDanger);
  const approved = cards.filter(({ state }) => state === "approved").length;
  const running = cards.filter(({ state }) => state === "applying").length;
  const failed = cards.filter(({ state }) => state === "failed").length;
  const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const parts = [
    open.length > 0 ? `${plural(open.length, "plan waits", "plans wait")} for a decision` : "",
    approved > 0 ? `${approved} ready to start` : "",
    failed > 0 ? `${failed} failed` : "",
    running > 0 ? `${running} running` : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return cards.length === 0 ? "Nothing has been planned yet" : "Nothing waits for you";
  return parts.join(", ");
}
