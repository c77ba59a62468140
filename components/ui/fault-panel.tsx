"use client";

import { OctagonAlert, RotateCw } from "lucide-react";
import type { FaultView } from "../api/fault.ts";

interface FaultPanelProps {
  readonly fault: FaultView;
  /** What was being done: "Plan 12 could not be read". */
  readonly what: string;
  /** What is true now, when something was to be changed. */
  readonly standing?: string;
  readonly retry?: () => void;
}

/** What happened, where, why, and what to do now. */
export function FaultPanel({ fault, what, standing, retry }: FaultPanelProps) {
  return (
    <div className="fault" role="alert">
      <OctagonAlert className="i no" aria-hidden="true" />
      <div>
        <b className="strong">{what}</b>
        <FaultText fault={fault} />
        {standing !== undefined && <p className="t2">{standing}</p>}
      </div>
      {retry !== undefined && (
        <button className="btn small" type="button" onClick={retry}>
          <RotateCw className="i s" aria-hidden="true" />
          Try again
        </button>
      )}
    </div>
  );
}

export function FaultText({ fault }: { readonly fault: FaultView }) {
  if (fault.problems.length > 0) {
    return fault.problems.map((problem) => (
      <p className="t2" key={`${problem.code} ${problem.place} ${problem.sentence}`}>
        {problem.place !== null && <code>{problem.place} </code>}
        {problem.sentence}
      </p>
    ));
  }
  if (fault.status === 0)
    return <p className="t2">The server doesn't answer. Check that weir serve is still running in its terminal.</p>;
  if (fault.status === 401)
    return <p className="t2">The server was started anew. Open the link that weir serve printed.</p>;
  return (
    <p className="t2">
      This is a fault of Weir's own.{" "}
      {fault.id === null ? (
        "The server's log has the details."
      ) : (
        <>
          The server's log has the details under <code>{fault.id}</code>.
        </>
      )}
    </p>
  );
}
