"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { NARROW, useMedia } from "../ui/use-media.ts";

interface DiffViewProps {
  readonly note: string;
  readonly path: string;
  readonly side: ReactNode;
  readonly unified: ReactNode;
}

/** Chooses the layout; until somebody does, the width decides. Folds of both sides open together. */
export function DiffView({ note, path, side, unified }: DiffViewProps) {
  const [chosen, setChosen] = useState<"side" | "unified" | null>(null);
  const narrow = useMedia(NARROW);
  const layout = chosen ?? (narrow ? "unified" : "side");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = box.current;
    // `toggle` doesn't bubble; it is caught on its way down.
    const openBoth = ({ target }: Event) => {
      if (!(target instanceof HTMLDetailsElement)) return;
      const twins = root?.querySelectorAll<HTMLDetailsElement>(`details[data-fold="${target.dataset.fold}"]`) ?? [];
      for (const twin of twins) twin.open = target.open;
    };
    root?.addEventListener("toggle", openBoth, true);
    return () => root?.removeEventListener("toggle", openBoth, true);
  }, []);
  return (
    <>
      <div className="diffbar">
        <span className="strong">{note}</span>
        <code className="muted">{path}</code>
        <span className="grow" />
        <fieldset className="seg">
          <legend className="sr">Layout of the difference</legend>
          <button type="button" aria-pressed={layout === "side"} onClick={() => setChosen("side")}>
            Side by side
          </button>
          <button type="button" aria-pressed={layout === "unified"} onClick={() => setChosen("unified")}>
            Unified
          </button>
        </fieldset>
      </div>
      <div className="diffs" ref={box}>
        {layout === "side" ? side : unified}
      </div>
    </>
  );
}
