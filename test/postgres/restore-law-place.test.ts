import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Captured, CapturedIndex, CapturedMaterializedView } from "../../server/core/catalog/captured.ts";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { createStatements } from "../../server/core/engine/postgres/restore/create-object.ts";
import { dropStatements } from "../../server/core/engine/postgres/restore/drop-object.ts";
import { makeTimeouts } from "../../server/core/engine/postgres/statement.ts";
import { readCaptures } from "../../server/engine/postgres/capture/read-captures.ts";
import type { RunQuery } from "../../server/engine/postgres/query.ts";
import { compareSnapshots, takeSnapshot } from "./catalog-snapshot.ts";
import { createDatabase } from "./database.ts";

const OBJECTS: readonly ObjectName[] = [
  { schema: "bi", name: "here", type: "materialized view" },
  { schema: "bi", name: "there", type: "materialized view" },
  { schema: "bi", name: "here_there", type: "index" },
  { schema: "bi", name: "there_here", type: "index" },
];

describe("what is stored is stored again where it was", () => {
  let client: pg.Client;
  let place: string;

  beforeAll(async () => {
    const database = await createDatabase("place");
    client = new pg.Client(database);
    await client.connect();
    // Tablespaces belong to the whole server: it goes when the database has gone.
    place = `${database.database} on disk`;
    const quoted = pg.escapeIdentifier(place);
    await client.query("SET allow_in_place_tablespaces = true");
    await client.query(`CREATE TABLESPACE ${quoted} LOCATION ''`);
    await client.query(`
      CREATE SCHEMA bi;
      CREATE MATERIALIZED VIEW bi.here AS SELECT 1 AS id;
      CREATE MATERIALIZED VIEW bi.there TABLESPACE ${quoted} AS SELECT 1 AS id;
      CREATE INDEX here_there ON bi.here (id) TABLESPACE ${quoted} WHERE id > 0;
      CREATE INDEX there_here ON bi.there (id);
      COMMENT ON INDEX bi.there_here IS 'here';`);
  });
  afterAll(async () => {
    await client.query("DROP MATERIALIZED VIEW bi.here, bi.there");
    await client.query(`DROP TABLESPACE ${pg.escapeIdentifier(place)}`);
    await client.end();
  });

  const run: RunQuery = async (query) => (await client.query(query.text, [...query.values])).rows;

  test.each(["pg_default", "the other"])("whatever the session prefers: %s", async (preferred) => {
    await client.query("SELECT set_config('default_tablespace', $1, false)", [
      preferred === "the other" ? place : preferred,
    ]);
    await client.query("BEGIN; SET LOCAL search_path TO ''");
    const captures = await readCaptures(run, OBJECTS);
    const byName = new Map(captures.objects.map((each) => [each.object.name, each]));
    const places = captures.objects.map((each) => [each.object.name, tablespaceOf(each)]);
    expect(places.sort()).toEqual([
      ["here", null],
      ["here_there", place],
      ["there", place],
      ["there_here", null],
    ]);
    const ordered = OBJECTS.map(({ name }) => byName.get(name) as Captured);
    const before = await takeSnapshot(client);
    const { user } = client;
    const context = {
      role: user ?? "",
      defaultGrantees: captures.defaultGrantees,
      timeouts: makeTimeouts(1_000),
    };
    const statements = [
      ...[...ordered].reverse().flatMap((each) => dropStatements(each, context.timeouts)),
      ...ordered.flatMap((each) => createStatements(each, context)),
    ];
    for (const { sql } of statements) await client.query(sql);
    // They have no rows yet, which isn't what this is about.
    const { lost, added } = compareSnapshots(before, await takeSnapshot(client));
    const filled = lost.map((line) => line.replace("populated t", "populated f"));
    expect(filled).toEqual(added);
    expect(lost).toHaveLength(2);
    await client.query("ROLLBACK");
  });

  function tablespaceOf(captured: Captured): string | null {
    return (captured as CapturedMaterializedView | CapturedIndex).tablespace;
  }
});
