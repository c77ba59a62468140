import { describe, expect, test } from "vitest";
import { setUpCaptures, sorted } from "./capture-world.ts";

const world = setUpCaptures("relations");

describe("captured relations, with every attribute set to something unusual", () => {
  test("a view", async () => {
    const { client, owner, first, second, version, capture, grant, as, label, labels, ownersTableGrants } = world;
    const invoker = version >= 150_000 ? ", security_invoker = on" : "";
    await client.query(`
      CREATE COLLATION z."by number" (provider = icu, locale = 'und-u-kn');
      CREATE VIEW z.v (id, "Näme, ""q""", "select", d, cased)
        WITH (security_barrier = true, check_option = local${invoker})
        AS SELECT id, name COLLATE z."by number", '10.5'::numeric(12, 2), big::z.dom COLLATE "default", name::varchar(7)
           FROM z.base WHERE id > 0;
      ALTER VIEW z.v OWNER TO "${owner}";
      ALTER VIEW z.v ALTER "select" SET DEFAULT 7 + 1, ALTER id SET DEFAULT NULL;
      COMMENT ON VIEW z.v IS E'It''s\\n"this"'; COMMENT ON COLUMN z.v."select" IS 'a column';
      COMMENT ON TYPE z.v IS 'a row';`);
    await as(
      owner,
      `GRANT SELECT ON z.v TO "${first}" WITH GRANT OPTION; GRANT SELECT, UPDATE (id) ON z.v TO "${second}"`,
    );
    await as(
      owner,
      `GRANT INSERT ("select") ON z.v TO "${first}" WITH GRANT OPTION; REVOKE DELETE ON z.v FROM "${owner}"`,
    );
    await as(first, `GRANT SELECT ON z.v TO PUBLIC; GRANT INSERT ("select") ON z.v TO "${second}"`);
    await as(owner, `REVOKE ALL ON TYPE z.v FROM PUBLIC; GRANT USAGE ON TYPE z.v TO "${second}"`);
    await label("pg_class", "'z.v'::regclass", 0, "view");
    await label("pg_class", "'z.v'::regclass", 3, "column");
    await label("pg_type", "'z.v'::regtype", 0, "row");
    const nothing = { collation: null, comment: null, grants: [], labels: [], defaultExpression: null };
    expect(await capture("view", "v")).toEqual({
      kind: "view",
      object: { schema: "z", name: "v", type: "view" },
      relation: { schema: "z", name: "v" },
      owner,
      comment: 'It\'s\n"this"',
      labels: labels("view"),
      extensions: [],
      columns: [
        { ...nothing, name: "id", type: "integer", grants: [grant(second, "UPDATE")] },
        { ...nothing, name: 'Näme, "q"', type: "text", collation: 'z."by number"' },
        {
          name: "select",
          type: "numeric(12,2)",
          collation: null,
          comment: "a column",
          grants: sorted([grant(first, "INSERT", { grantable: true }), grant(second, "INSERT", { grantor: first })]),
          labels: labels("column"),
          defaultExpression: "(7 + 1)",
        },
        { ...nothing, name: "d", type: "z.dom", collation: '"default"' },
        { ...nothing, name: "cased", type: "character varying(7)" },
      ],
      options: ["check_option=local", "security_barrier=true", ...(version >= 150_000 ? ["security_invoker=on"] : [])],
      definition: expect.stringMatching(/^SELECT [\s\S]*FROM z\.base[\s\S]*\bid > 0\)?$/),
      grants: sorted([
        ...ownersTableGrants().filter((each) => each.privilege !== "DELETE"),
        grant(first, "SELECT", { grantable: true }),
        grant(second, "SELECT"),
        grant("PUBLIC", "SELECT", { grantor: first }),
      ]),
      rowType: {
        comment: "a row",
        grants: sorted([grant(owner, "USAGE"), grant(second, "USAGE")]),
        labels: labels("row"),
      },
    });
  });

  test("a plain view, and one that everything was taken away from", async () => {
    const { client, owner, capture, grant, ownersTableGrants } = world;
    await client.query(`CREATE VIEW z.plain AS SELECT 1 AS id; ALTER VIEW z.plain OWNER TO "${owner}";
      CREATE VIEW z.none AS SELECT; ALTER VIEW z.none OWNER TO "${owner}"; REVOKE ALL ON z.none FROM "${owner}";
      REVOKE ALL ON TYPE z.none FROM "${owner}", PUBLIC;`);
    const usage = [grant("PUBLIC", "USAGE"), grant(owner, "USAGE")];
    expect(await capture("view", "plain")).toMatchObject({
      ...{ comment: null, labels: [], options: [], definition: "SELECT 1 AS id", grants: sorted(ownersTableGrants()) },
      rowType: { comment: null, grants: usage, labels: [] },
    });
    expect(await capture("view", "none")).toMatchObject({
      ...{ columns: [], definition: "SELECT", grants: [] },
      rowType: { comment: null, grants: [], labels: [] },
    });
  });

  test("a materialized view, and an index and statistics on it", async () => {
    const { client, owner, first, tablespace, capture, grant, as, ownersTableGrants } = world;
    await client.query(`
      CREATE ACCESS METHOD heap_too TYPE TABLE HANDLER heap_tableam_handler;
      CREATE MATERIALIZED VIEW z.m (id, label, big, day) USING heap_too
        WITH (fillfactor = 70, autovacuum_enabled = off, toast.autovacuum_enabled = off, toast.vacuum_truncate = off)
        TABLESPACE ${tablespace}
        AS SELECT id, name, big, day FROM z.base WITH NO DATA;
      ALTER MATERIALIZED VIEW z.m ALTER id SET STATISTICS 0, ALTER label SET STATISTICS 77,
        ALTER label SET (n_distinct = -0.5, n_distinct_inherited = 3), ALTER big SET STORAGE EXTERNAL,
        ALTER big SET COMPRESSION pglz, ALTER day SET STATISTICS -1;
      ALTER TABLE z.m REPLICA IDENTITY FULL;
      ALTER MATERIALIZED VIEW z.m DEPENDS ON EXTENSION plpgsql;
      COMMENT ON MATERIALIZED VIEW z.m IS 'stored'; COMMENT ON COLUMN z.m.big IS 'large';
      CREATE UNIQUE INDEX m_odd ON z.m (id, (lower(label)) COLLATE "C" DESC NULLS LAST, (big || 'x')) INCLUDE (day)
        WITH (fillfactor = 50) TABLESPACE ${tablespace} WHERE id > 0;
      ALTER INDEX z.m_odd ALTER COLUMN 2 SET STATISTICS 33; ALTER INDEX z.m_odd ALTER COLUMN 3 SET STATISTICS 0;
      ALTER INDEX z.m_odd DEPENDS ON EXTENSION plpgsql; COMMENT ON INDEX z.m_odd IS 'an index';
      CREATE INDEX m_day ON z.m (day); ALTER MATERIALIZED VIEW z.m CLUSTER ON m_day;
      CREATE STATISTICS own.stats (ndistinct, mcv) ON id, (id + 1), label FROM z.m;
      ALTER STATISTICS own.stats SET STATISTICS 55; COMMENT ON STATISTICS own.stats IS 'known';
      CREATE STATISTICS own.other ON id, day FROM z.m; ALTER STATISTICS own.other SET STATISTICS -1;
      ALTER STATISTICS own.stats OWNER TO "${owner}";
      ALTER MATERIALIZED VIEW z.m OWNER TO "${owner}";`);
    await as(owner, `GRANT SELECT (big) ON z.m TO "${first}"`);
    const nothing = { collation: null, comment: null, grants: [], labels: [], defaultExpression: null };
    const usual = { storage: null, compression: null, statisticsTarget: null, options: [] };
    expect(await capture("materialized view", "m")).toEqual({
      kind: "materialized_view",
      object: { schema: "z", name: "m", type: "materialized view" },
      relation: { schema: "z", name: "m" },
      owner,
      comment: "stored",
      labels: [],
      extensions: ["plpgsql"],
      columns: [
        { ...nothing, ...usual, name: "id", type: "integer", statisticsTarget: 0 },
        {
          ...nothing,
          ...usual,
          name: "label",
          type: "text",
          statisticsTarget: 77,
          options: ["n_distinct=-0.5", "n_distinct_inherited=3"],
        },
        {
          ...{ ...nothing, ...usual, name: "big", type: "text", comment: "large" },
          ...{ storage: "EXTERNAL", compression: "pglz", grants: [grant(first, "SELECT")] },
        },
        { ...nothing, ...usual, name: "day", type: "date" },
      ],
      options: ["autovacuum_enabled=off", "fillfactor=70"],
      toastOptions: ["autovacuum_enabled=off", "vacuum_truncate=off"],
      definition: expect.stringMatching(/FROM z\.base$/),
      grants: sorted(ownersTableGrants()),
      rowType: { comment: null, grants: [grant("PUBLIC", "USAGE"), grant(owner, "USAGE")], labels: [] },
      accessMethod: "heap_too",
      tablespace,
      populated: false,
      replicaIdentity: "full",
      bytes: expect.any(Number),
      estimatedRows: null,
    });
    expect(await capture("index", "m_odd")).toEqual({
      kind: "index",
      object: { schema: "z", name: "m_odd", type: "index" },
      index: { schema: "z", name: "m_odd" },
      on: { schema: "z", name: "m" },
      owner,
      comment: "an index",
      labels: [],
      extensions: ["plpgsql"],
      definition:
        'CREATE UNIQUE INDEX m_odd ON z.m USING btree (id, lower(label) COLLATE "C" DESC NULLS LAST, ' +
        "((big || 'x'::text))) INCLUDE (day) WITH (fillfactor='50') WHERE (id > 0)",
      tablespace,
      clustered: false,
      replicaIdentity: false,
      statisticsTargets: [
        { column: 2, target: 33 },
        { column: 3, target: 0 },
      ],
    });
    expect(await capture("index", "m_day")).toMatchObject({
      ...{ clustered: true, comment: null, extensions: [], tablespace: null, statisticsTargets: [] },
    });
    expect(await capture("statistics object", "stats", "own")).toEqual({
      kind: "statistics",
      object: { schema: "own", name: "stats", type: "statistics object" },
      statistics: { schema: "own", name: "stats" },
      owner,
      comment: "known",
      labels: [],
      extensions: [],
      definition: "CREATE STATISTICS own.stats (ndistinct, mcv) ON id, label, (id + 1) FROM z.m",
      target: 55,
    });
    expect(await capture("statistics object", "other", "own")).toMatchObject({ target: null });
  });

  test("a materialized view without anything unusual, filled and analyzed; the others' identities", async () => {
    const { client, owner, capture } = world;
    await client.query(`CREATE MATERIALIZED VIEW z.filled AS SELECT g AS id FROM generate_series(1, 300) AS g;
      ANALYZE z.filled; CREATE MATERIALIZED VIEW z.nothing AS SELECT 1 AS id; ALTER TABLE z.nothing REPLICA IDENTITY NOTHING;
      CREATE UNIQUE INDEX base_day ON z.base (id); ALTER TABLE z.base REPLICA IDENTITY USING INDEX base_day;`);
    expect(await capture("materialized view", "filled")).toMatchObject({
      ...{ populated: true, replicaIdentity: "default", accessMethod: "heap", tablespace: null },
      ...{ options: [], toastOptions: [], extensions: [], estimatedRows: 300 },
    });
    expect(await capture("materialized view", "nothing")).toMatchObject({ replicaIdentity: "nothing" });
    expect(await capture("index", "base_day")).toMatchObject({ replicaIdentity: true, owner });
  });
});
