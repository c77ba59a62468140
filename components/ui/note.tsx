import { Check, OctagonAlert } from "lucide-react";
import type { ReactNode } from "react";

interface NoteProps {
  readonly tone: "done" | "failed";
  readonly title: string;
  readonly children?: ReactNode;
}

/** What a toast says. */
export function Note({ tone, title, children }: NoteProps) {
  return (
    <div className={`toast${tone === "failed" ? " fail" : ""}`} role={tone === "failed" ? "alert" : "status"}>
      {tone === "failed" ? (
        <OctagonAlert className="i no" aria-hidden="true" />
      ) : (
        <Check className="i ok" aria-hidden="true" />
      )}
      <span>
        <b className="strong">{title}</b>
        {children !== undefined && <span className="t2 toast-more">{children}</span>}
      </span>
    </div>
  );
}
