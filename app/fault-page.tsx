import type { FaultView } from "../components/api/fault.ts";
import { FaultPanel } from "../components/ui/fault-panel.tsx";

/** A page whose data could not be read: the sentences, and the way back. */
export function FaultPage({ title, fault }: { readonly title: string; readonly fault: FaultView }) {
  return (
    <>
      <section className="head short" aria-label="Summary">
        <div className="verdict">
          <h1>{title}</h1>
        </div>
      </section>
      <main className="work" id="main">
        <div className="pane">
          <FaultPanel
            what={title}
            fault={fault}
            standing="Looking changes nothing. Load the page again once this is resolved."
          />
        </div>
      </main>
    </>
  );
}
