"use client";

import { FaultPanel } from "../components/ui/fault-panel.tsx";

interface ErrorPageProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <>
      <section className="head short" aria-label="Summary">
        <div className="verdict">
          <h1>This page could not be shown</h1>
        </div>
      </section>
      <main className="work" id="main">
        <div className="pane">
          <FaultPanel
            what={error.digest === undefined ? error.message : "Something failed while the page was made"}
            fault={{ status: 500, problems: [], id: error.digest ?? null }}
            standing="Looking changes nothing: plans, runs and environments are as they were."
            retry={reset}
          />
        </div>
      </main>
    </>
  );
}
