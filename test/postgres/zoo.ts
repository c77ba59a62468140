import type pg from "pg";

/**
 * Every kind of dependent that a view, a materialized view or a table can have, all hanging on `zoo.base` and
 * `zoo.v`, with odd names among them.
 */
export async function buildZoo(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA zoo;
    CREATE SCHEMA "Bi ""Ward""";
    SET search_path = '';
    CREATE TABLE zoo.base (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      serial_no serial,
      name text COLLATE "C" NOT NULL DEFAULT 'x',
      amount numeric(12,2) CHECK (amount >= 0),
      big text
    );
    CREATE INDEX base_name ON zoo.base (name);
    CREATE TABLE zoo.other (base_id integer REFERENCES zoo.base (id), note text);
    CREATE VIEW zoo.v (id, name, amount) AS SELECT id, name, amount FROM zoo.base;

    CREATE VIEW zoo.v2 AS SELECT id, name FROM zoo.v;
    CREATE VIEW zoo.diamond_a AS SELECT id FROM zoo.v2;
    CREATE VIEW zoo.diamond_b AS SELECT name FROM zoo.v2;
    CREATE VIEW zoo.diamond AS SELECT a.id, b.name FROM zoo.diamond_a a, zoo.diamond_b b;
    CREATE VIEW "Bi ""Ward"""."Odd näme; --" AS SELECT id AS "Id" FROM zoo.v;
    CREATE VIEW zoo.subject AS SELECT id, name FROM zoo.diamond_a, zoo.diamond_b;
    CREATE VIEW zoo.counts AS SELECT pg_catalog.count(*) AS n FROM zoo.v;
    CREATE VIEW zoo.whole AS SELECT v AS row_of_v FROM zoo.v v;
    CREATE VIEW zoo.grouped AS SELECT id, name FROM zoo.base GROUP BY id;

    CREATE MATERIALIZED VIEW zoo.mv AS SELECT id, amount FROM zoo.v;
    CREATE UNIQUE INDEX mv_id ON zoo.mv (id);
    CREATE INDEX mv_amount ON zoo.mv (amount) WHERE amount > 0;
    CREATE STATISTICS zoo.mv_stats ON id, amount FROM zoo.mv;
    CREATE VIEW zoo.on_mv AS SELECT amount FROM zoo.mv;

    CREATE FUNCTION zoo.set_of_v() RETURNS SETOF zoo.v LANGUAGE sql AS 'SELECT * FROM zoo.v';
    CREATE FUNCTION zoo.atomic_body(low integer) RETURNS bigint LANGUAGE sql
      BEGIN ATOMIC SELECT pg_catalog.count(*) FROM zoo.v WHERE id > low; END;
    CREATE FUNCTION zoo.text_body() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM zoo.v';
    CREATE VIEW zoo.on_function AS SELECT id FROM zoo.set_of_v() AS f;
    CREATE FUNCTION zoo.takes_v(zoo.v) RETURNS integer LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION zoo.agg_step(integer, zoo.v) RETURNS integer LANGUAGE sql AS 'SELECT 1';
    CREATE AGGREGATE zoo.agg_v (zoo.v) (SFUNC = zoo.agg_step, STYPE = integer);
    CREATE OPERATOR zoo.@@@ (FUNCTION = zoo.takes_v, RIGHTARG = zoo.v);
    CREATE DOMAIN zoo.array_of_v AS zoo.v[];

    CREATE FUNCTION zoo.on_insert() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER instead INSTEAD OF INSERT ON zoo.v FOR EACH ROW EXECUTE FUNCTION zoo.on_insert();
    CREATE RULE quiet AS ON DELETE TO zoo.v DO INSTEAD NOTHING;
    CREATE RULE copies AS ON INSERT TO zoo.other DO ALSO SELECT id FROM zoo.v;
    ALTER VIEW zoo.v ALTER COLUMN name SET DEFAULT 'y';

    CREATE TABLE zoo.guarded (id integer);
    CREATE POLICY only_known ON zoo.guarded USING (id IN (SELECT id FROM zoo.v));
    CREATE FUNCTION zoo.largest() RETURNS integer LANGUAGE sql STABLE
      BEGIN ATOMIC SELECT pg_catalog.max(id) FROM zoo.v; END;
    CREATE TABLE zoo.with_default (id integer DEFAULT zoo.largest(), CHECK (id <> zoo.largest()));
    CREATE TABLE zoo.with_row (id integer, seen zoo.v, many zoo.v[]);
    CREATE TYPE zoo.holds_row AS (one zoo.v);
    CREATE TABLE zoo.typed OF zoo.holds_row;
    CREATE VIEW zoo.on_with_row AS SELECT id, (seen).name AS seen_name FROM zoo.with_row;

    CREATE TABLE zoo.parent (k integer, g integer GENERATED ALWAYS AS (k + 1) STORED) PARTITION BY RANGE (k);
    CREATE TABLE zoo.child PARTITION OF zoo.parent FOR VALUES FROM (0) TO (10);
    CREATE INDEX parent_k ON zoo.parent (k);
    CREATE TABLE zoo.heir (more integer) INHERITS (zoo.base);
    CREATE PUBLICATION zoo_pub FOR TABLE zoo.guarded;
  `);
  if (await hasExtension(client, "hstore")) {
    await client.query(`
      CREATE SCHEMA ext;
      CREATE EXTENSION hstore SCHEMA ext;
      CREATE VIEW zoo.member AS SELECT id FROM zoo.v;
      ALTER EXTENSION hstore ADD VIEW zoo.member;
      CREATE VIEW zoo.on_member AS SELECT id FROM zoo.member;
    `);
  }
  await client.query(`CREATE TEMP VIEW temporary AS SELECT id FROM zoo.v2`);
}

export async function hasExtension(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_catalog.pg_available_extensions WHERE name = $1", [name]);
  return (rowCount ?? 0) > 0;
}
