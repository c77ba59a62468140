// `write-journal URL`: events of a run, one after the other as an apply writes them, and beside each a plain INSERT into a
// table of three columns: the least that anything durable can cost on this server.

import pg from "pg";
import { openStateStore } from "../../server/state/postgres-state-store.ts";
import { planOf } from "../../test/contract/state-values.ts";
import { begin } from "../../test/contract/state-world.ts";
import { medianTimed, type Timed, timed } from "../measure/timed.ts";

const EVENTS = 300;

const [url = ""] = process.argv.slice(2);
const store = await openStateStore({ connection: url });
await store.migrate();
const lease = await begin(store, planOf(), "r_bench");
const plain = new pg.Client({ connectionString: url });
await plain.connect();
await plain.query("CREATE TABLE plain (run text, seq integer, event jsonb, PRIMARY KEY (run, seq))");
const events: Timed[] = [];
const inserts: Timed[] = [];
for (let seq = 0; seq < EVENTS; seq += 1) {
  const event = { kind: "action_started", action: `a${seq}` } as const;
  const insert = { name: "plain", text: "INSERT INTO plain VALUES ($1, $2, $3)", values: ["r", seq, event] };
  events.push(await timed(() => store.appendEvent("r_bench", lease, new Date().toISOString(), event)));
  inserts.push(await timed(() => plain.query(insert)));
}
await plain.end();
await store.releaseLease(lease);
await store.close();
process.stdout.write(JSON.stringify({ event: medianTimed(events), insert: medianTimed(inserts) }));
