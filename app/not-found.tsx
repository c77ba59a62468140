import Link from "next/link";
import { EmptyState } from "../components/ui/empty-state.tsx";

export default function NotFound() {
  return (
    <>
      <section className="head short" aria-label="Summary">
        <div className="verdict">
          <h1>There is nothing at this address</h1>
        </div>
      </section>
      <main className="work" id="main">
        <div className="pane">
          <EmptyState title="The plan, run or environment isn't known here">
            <p>
              It may belong to another project or state database, or its name may be misspelt. Plans are kept for ever
              under their id.
            </p>
            <p>
              <Link className="link" href="/plans">
                All plans
              </Link>
              {" · "}
              <Link className="link" href="/environments">
                All environments
              </Link>
            </p>
          </EmptyState>
        </div>
      </main>
    </>
  );
}
