// `read-closure URL SCHEMA RELATION COUNT`: what hangs on a relation, read as a plan reads it; checked against COUNT.
// Prints the first reading of the process and the median of those after it.

import { connectionFromUrl } from "../../server/engine/postgres/connection-from-url.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { medianTimed, type Timed, timed } from "../measure/timed.ts";

const [url = "", schema = "", name = "", count = ""] = process.argv.slice(2);
const warehouse = await openWarehouse(connectionFromUrl(url));
const times: Timed[] = [];
for (let reading = 0; reading < 8; reading += 1) {
  const { ms, cpuMs, value } = await timed(() =>
    warehouse.readCatalog({
      project: "bench",
      environment: "prod",
      schemas: [],
      relations: [],
      closures: [{ schema, name }],
    }),
  );
  times.push({ ms, cpuMs });
  const found = value.closures[0]?.members.length;
  if (found !== Number(count)) throw new Error(`${found} dependents instead of ${count}`);
}
await warehouse.close();
const [first, ...later] = times;
process.stdout.write(JSON.stringify({ first, later: medianTimed(later) }));
