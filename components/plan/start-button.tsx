import { Play } from "lucide-react";
import type { Starting } from "./use-start.ts";

interface StartButtonProps {
  readonly environment: string;
  readonly label: string;
  readonly starting: Starting;
}

export function StartButton({ environment, label, starting: { start, busy } }: StartButtonProps) {
  return (
    <button className={busy ? "btn" : "btn primary"} type="button" aria-busy={busy} disabled={busy} onClick={start}>
      {busy ? <span className="spin" /> : <Play className="i s fill" aria-hidden="true" />}
      {busy ? `Starting on ${environment}` : label}
    </button>
  );
}
