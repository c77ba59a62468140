import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { openWarehouse, type ShopWarehouse } from "../test/fakes/shop-warehouse.ts";
import { type Started, startProcess } from "./start-process.ts";

interface Shop extends Started {
  readonly warehouse: ShopWarehouse;
}

/** The real product on its embedded server, with the demo's shop and its two waiting plans; one a worker. */
export const test = base.extend<object, { shop: Shop }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const home = mkdtempSync(join(tmpdir(), "weir-e2e-"));
      // As root the database runs as another user, who must be able to pass through.
      chmodSync(home, 0o711);
      const started = await startProcess(["scripts/demo.ts", "--port", "0"], { WEIR_HOME: home }, 240_000);
      const warehouse = await openWarehouse(home);
      await use({ ...started, warehouse });
      await warehouse.close();
      await started.stop();
      rmSync(home, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
});
