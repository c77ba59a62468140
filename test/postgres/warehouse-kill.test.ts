import { expect, test } from "vitest";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { WriteTransaction } from "../../server/ports/warehouse.ts";
import { aStep, aTransaction } from "../builders/write-transaction.ts";
import { connectionTo } from "./connection.ts";
import { type Cut, openCuttingProxy } from "./cutting-proxy.ts";
import { faultOf, setUpWarehouse } from "./warehouse-world.ts";

const world = setUpWarehouse("kill");

/** Everything that a transaction can hold: guards, DDL, rows, a seed, the environment's record. */
async function wholeTransaction(): Promise<WriteTransaction> {
  const v = { schema: "shop", name: "v" };
  const owner = world.database.user;
  const seed = { relation: { schema: "shop", name: "made" }, rows: { columns: ["id"], rows: [["1"], ["2"]] } };
  return {
    ...aTransaction(world.fences, [
      aStep({ kind: "absent", relation: { schema: "shop", name: "made" } }, "CREATE TABLE shop.made (id integer)"),
      { ...aStep("INSERT INTO shop.made VALUES (0)"), seed },
      aStep(
        { kind: "bare", relation: v, owner, fingerprint: await world.fingerprint("v") },
        "DROP VIEW shop.v",
        "CREATE VIEW shop.v AS SELECT id FROM shop.made",
      ),
    ]),
    environmentMarker: { project: "p", environment: "prod", promotion: 1, digest: "d" },
  };
}

interface Seen {
  readonly marker: boolean;
  readonly rows: unknown;
  readonly viewColumns: unknown;
  readonly record: boolean;
}

const BEFORE: Seen = { marker: false, rows: null, viewColumns: 2, record: false };
const AFTER: Seen = { marker: true, rows: 3, viewColumns: 1, record: true };

async function look({ marker }: WriteTransaction): Promise<Seen> {
  // What the dead client had begun may still be at work for a moment.
  await world.until(
    "SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()",
  );
  const made = await world.value("SELECT to_regclass('shop.made') IS NOT NULL");
  return {
    marker: (await world.warehouse.readMarkers(marker.run)).some((each) => each.action === marker.action),
    rows: made === true ? await world.value("SELECT count(*)::int FROM shop.made") : null,
    viewColumns: await world.value("SELECT count(*)::int FROM pg_attribute WHERE attrelid = 'shop.v'::regclass"),
    record: (await world.warehouse.readEnvironmentMarker("p", "prod")) !== null,
  };
}

async function startAgain(): Promise<void> {
  await world.client.query(`
    DROP VIEW shop.v;
    DROP TABLE IF EXISTS shop.made;
    CREATE VIEW shop.v AS SELECT id, name FROM shop.t;
    DELETE FROM weir_internal.environment_marker`);
}

const MOMENTS: readonly Cut["when"][] = ["before", "during", "after"];

test.each(MOMENTS)(
  "a process that is killed %s any statement leaves all or nothing, and the marker tells which",
  async (when) => {
    let outcomes = 0;
    let committing = false;
    for (let statement = 1; ; statement += 1) {
      await startAgain();
      const proxy = await openCuttingProxy(world.database);
      const mortal = await openWarehouse(connectionTo(world.database, { host: "127.0.0.1", port: proxy.port }));
      // So that what is counted from here on is the transaction alone.
      const fences = await mortal.takeFences(["env:prod"]);
      const transaction = { ...(await wholeTransaction()), fences };
      proxy.arm({ statement, when });
      const work = mortal.runTransaction(transaction);
      const ended = await work.then(
        () => "done",
        () => "died",
      );
      if (!proxy.struck()) {
        expect(ended).toBe("done");
        await mortal.close();
        await proxy.close();
        break;
      }
      if (ended === "died") expect(await faultOf(work)).toMatchObject({ kind: "connection_lost" });
      const cutAt = proxy.statements().at(-1) ?? "";
      const seen = await look(transaction);
      expect({ statement, seen }).toEqual({ statement, seen: seen.marker ? AFTER : BEFORE });
      outcomes += 1;
      // Only a COMMIT that was sent can have done everything; before that nothing may be.
      if (!cutAt.endsWith("COMMIT") || when === "before") expect(seen).toEqual(BEFORE);
      else if (when === "after") expect(seen).toEqual(AFTER);
      committing ||= cutAt.endsWith("COMMIT");

      // Whoever resumes gets to the same end, and nothing is done twice.
      const again = { ...transaction, fences: await world.warehouse.takeFences(["env:prod"]) };
      const report = await world.warehouse.runTransaction(again);
      expect(report.found).toBe(seen.marker);
      expect(await look(transaction)).toEqual(AFTER);
      await mortal.close();
      await proxy.close();
    }
    expect(outcomes).toBeGreaterThan(20);
    expect(committing).toBe(true);
  },
  120_000,
);
