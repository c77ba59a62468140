// `read-closure URL SCHEMA RELATION COUNT`: what hangs on a relation, read as a plan reads it; checked against COUNT.
// Prints the first reading of the process and the median of those after it.

import { connectionFromUrl } from "../../server/engine/postgres/connection-from-url.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { median } from "../measure/cost.ts";

const [url = "", schema = "", name = "", count = ""] = process.argv.slice(2);
const warehouse = await openWarehouse(connectionFromUrl(url));
const times: number[] = [];
for (let reading = 0; reading < 8; reading += 1) {
  const startedAt = performance.now();
  const catalog = await warehouse.readCatalog({
    project: "bench",
    environment: "prod",
    schemas: [],
    relations: [],
    closures: [{ schema, name }],
  });
  times.push(performance.now() - startedAt);
  const found = catalog.closures[0]?.members.length;
  if (found !== Number(count)) throw new Error(`${found} dependents instead of ${count}`);
}
await warehouse.close();
const [first = 0, ...later] = times;
process.stdout.write(JSON.stringify({ first, later: median(later) }));
