"use client";

import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";

const groups: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["/", "search on this page, else in everything"],
      ["j k", "next and previous row"],
      ["Enter", "open the row"],
      ["Esc", "close what is open"],
      ["?", "this help"],
    ],
  },
  {
    title: "On a plan",
    keys: [
      ["[ ]", "previous and next object in the drawer"],
      ["v", "mark the object as seen"],
      ["a", "open the decision sheet; it decides nothing by itself"],
      ["u d", "in the graph: one hop up, one hop down"],
      ["f", "in the graph: fit"],
    ],
  },
];

const clicked = new Set(["[", "]", "a", "v", "u", "d", "f"]);

/**
 * Keys find their target in the page: `data-key="a"` is clicked by `a`, `data-row` elements are walked by `j` and `k`,
 * `data-search` takes the focus on `/`. So a key does on every page what the visible control does, and nothing else.
 */
export function Shortcuts() {
  const [help, setHelp] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"][data-state="open"]') !== null) return;
      if (event.key === "?") setHelp(true);
      else if (event.key === "/") focusSearch();
      else if (event.key === "j" || event.key === "k") moveRow(event.key === "j" ? 1 : -1);
      else if (event.key === "Escape") click("Escape");
      else if (clicked.has(event.key)) click(event.key);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <Dialog.Root open={help} onOpenChange={setHelp}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog centred" aria-describedby={undefined}>
          <header>
            <Dialog.Title>Keys</Dialog.Title>
          </header>
          <div className="in keys">
            {groups.map(({ title, keys }) => (
              <section key={title}>
                <h3>{title}</h3>
                <dl>
                  {keys.map(([key, meaning]) => (
                    <div key={key}>
                      <dt>
                        {key.split(" ").map((each) => (
                          <kbd key={each}>{each}</kbd>
                        ))}
                      </dt>
                      <dd>{meaning}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <footer>
            <Dialog.Close className="btn">Close help</Dialog.Close>
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function visible(selector: string): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.getClientRects().length > 0);
}

function click(key: string): void {
  visible(`[data-key="${key}"]`)[0]?.click();
}

function focusSearch(): void {
  const [own] = visible('[data-search="page"]');
  const [top] = visible('[data-search="top"]');
  const field = own ?? top;
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

function moveRow(step: number): void {
  const rows = visible("[data-row]");
  const current = rows.indexOf(document.activeElement as HTMLElement);
  const selected = rows.findIndex((row) => row.closest('[aria-selected="true"], [aria-current="true"]') !== null);
  // The first press goes to what is selected already, else to an end.
  const next = current >= 0 ? current + step : selected >= 0 ? selected : step > 0 ? 0 : rows.length - 1;
  const target = rows[Math.min(Math.max(next, 0), rows.length - 1)];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}
