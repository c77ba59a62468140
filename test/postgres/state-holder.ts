/**
 * A process that holds a lease and a job, for tests that kill it. Prints one line of JSON when it has them.
 *
 *     node --import tsx state-holder.ts postgresql://… run-id
 */
import process from "node:process";
import { openStateStore } from "../../server/state/postgres-state-store.ts";

const [, , connection = "", run = ""] = process.argv;
const store = await openStateStore({ connection });
const outcome = await store.acquireLease({ scopes: ["a", "b"], holder: `run ${run}, pid ${process.pid}`, run });
const job = await store.claimJob(`worker ${process.pid}`);
process.stdout.write(`${JSON.stringify({ outcome, job })}\n`);
