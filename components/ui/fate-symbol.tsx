import type { ReactNode } from "react";
import { type Fate, fateWord } from "./fate.ts";

const shapes: Readonly<Record<Fate, ReactNode>> = {
  create: <path d="M8 3.2v9.6M3.2 8h9.6" />,
  change: <path d="M2.8 9.4c1.3-2.7 3.1-2.8 5.2-1.4s3.9 1.3 5.2-1.4" />,
  replace: <path d="M4.4 2.2v5M1.9 4.7h5M11 2.6 5.2 13.4M9 11.4h5" />,
  drop: <path d="M3.2 8h9.6" />,
  recreate: (
    <>
      <path d="M12.9 8a4.9 4.9 0 1 1-1.5-3.5" />
      <path d="M12.9 2v3h-3" />
    </>
  ),
  lost: <path d="m4 4 8 8M12 4l-8 8" />,
  indirect: <path d="m3.4 4.2 3.8 3.8-3.8 3.8M8.6 4.2 12.4 8l-3.8 3.8" />,
  metadata: <circle cx="8" cy="8" r="2.3" fill="currentColor" stroke="none" />,
  unmanaged: <path d="m8 2.6 5.4 5.4L8 13.4 2.6 8Z" />,
  blocked: (
    <>
      <path d="M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5Z" />
      <path d="M8 5v3.4M8 10.9v.01" />
    </>
  ),
  kept: <path d="m3.4 8.4 3 3 6.2-6.6" />,
};

interface FateSymbolProps {
  readonly fate: Fate;
  readonly small?: boolean;
  /** Without one the symbol is decoration: its word stands beside it. */
  readonly label?: string | true;
}

export function FateSymbol({ fate, small = false, label }: FateSymbolProps) {
  const name = label === true ? fateWord[fate] : label;
  const className = `sym ${fate}${small ? " xs" : ""}`;
  const shape = (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      {shapes[fate]}
    </svg>
  );
  return name === undefined ? (
    <span className={className} aria-hidden="true">
      {shape}
    </span>
  ) : (
    <span className={className} role="img" aria-label={name}>
      {shape}
    </span>
  );
}

export function FateWord({ fate }: { readonly fate: Fate }) {
  return <span className={`word-${fate}`}>{fateWord[fate]}</span>;
}
