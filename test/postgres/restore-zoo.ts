import pg from "pg";
import { createRole, type TestDatabase, type TestRole } from "./database.ts";

export interface ZooRoles {
  readonly applier: TestRole;
  readonly owner: string;
  readonly other: string;
  readonly reader: string;
  readonly grantor: string;
}

/** The applying role is no superuser: a member of the owners and of who granted on, with CREATE where things are made. */
export async function createZooRoles(database: TestDatabase): Promise<ZooRoles> {
  const named = async (name: string) => (await createRole(database, name, "NOLOGIN")).name;
  const [owner, other] = [await named("owner of"), await named('oth"er')];
  const [reader, grantor] = [await named("reader"), await named("Grantor")];
  return { applier: await createRole(database, "applier"), owner, other, reader, grantor };
}

/**
 * Every kind of object that can be captured, below `zoo.root`, with every attribute set to something unusual that a
 * careless replacement loses.
 */
export async function buildRestoreZoo(client: pg.Client, roles: ZooRoles): Promise<void> {
  const [owner, other, reader, grantor, applier] = [
    ...[roles.owner, roles.other, roles.reader, roles.grantor, roles.applier.name],
  ].map((name) => pg.escapeIdentifier(name)) as [string, string, string, string, string];
  await client.query(`
    GRANT ${owner}, ${other}, ${grantor} TO ${applier};
    CREATE SCHEMA zoo; CREATE SCHEMA "Odd ""S"" on";
    GRANT ALL ON SCHEMA zoo, "Odd ""S"" on" TO ${owner}, ${other}, ${applier};
    GRANT USAGE ON SCHEMA zoo, "Odd ""S"" on" TO ${reader}, ${grantor};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${applier} GRANT SELECT, DELETE ON TABLES TO ${reader} WITH GRANT OPTION;
    ALTER DEFAULT PRIVILEGES FOR ROLE ${applier} IN SCHEMA zoo GRANT ALL ON TABLES TO PUBLIC;
    ALTER DEFAULT PRIVILEGES FOR ROLE ${applier} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
    ALTER DEFAULT PRIVILEGES FOR ROLE ${applier} GRANT EXECUTE ON FUNCTIONS TO ${other};
    ALTER DEFAULT PRIVILEGES FOR ROLE ${applier} GRANT USAGE ON TYPES TO ${reader};
    SET search_path = '';
    CREATE TABLE zoo.base (id integer PRIMARY KEY, name text COLLATE "C", amount numeric(12,2), big text);
    INSERT INTO zoo.base SELECT i, 'n' || i, i * 1.5, pg_catalog.repeat('x', i) FROM pg_catalog.generate_series(1, 50) i;
    GRANT SELECT, INSERT, UPDATE, DELETE ON zoo.base TO ${owner}, ${other} WITH GRANT OPTION;

    CREATE FUNCTION zoo.fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE VIEW zoo.root (id, name, amount, big) WITH (security_barrier = true, check_option = 'local') AS
      SELECT id, name, amount, big FROM zoo.base WHERE id > 0;
    ALTER VIEW zoo.root OWNER TO ${owner};
    ALTER VIEW zoo.root ALTER COLUMN name SET DEFAULT 'it''s \\ a default', ALTER COLUMN amount SET DEFAULT 1.25::numeric(12,2);
    REVOKE UPDATE ON zoo.root FROM ${owner};
    GRANT SELECT ON zoo.root TO ${grantor} WITH GRANT OPTION;
    GRANT INSERT (id, name) ON zoo.root TO ${other} WITH GRANT OPTION;
    GRANT REFERENCES (id) ON zoo.root TO ${owner};
    GRANT SELECT ON zoo.root TO PUBLIC;
    SET ROLE ${grantor};
    GRANT SELECT ON zoo.root TO ${reader}, ${other} WITH GRANT OPTION;
    GRANT SELECT (amount) ON zoo.root TO ${reader};
    SET ROLE ${other};
    GRANT INSERT (name) ON zoo.root TO ${reader};
    GRANT SELECT ON zoo.root TO ${applier};
    RESET ROLE;
    COMMENT ON VIEW zoo.root IS 'root''s
      comment \\n with --';
    COMMENT ON COLUMN zoo.root.amount IS 'money';
    COMMENT ON TYPE zoo.root IS 'its row';
    REVOKE ALL ON TYPE zoo.root FROM PUBLIC;
    GRANT USAGE ON TYPE zoo.root TO ${reader} WITH GRANT OPTION;
    CREATE RULE "quiet on" AS ON DELETE TO zoo.root DO INSTEAD NOTHING;
    COMMENT ON RULE "quiet on" ON zoo.root IS 'no deletes';
    CREATE TRIGGER "instead ""of""" INSTEAD OF UPDATE ON zoo.root FOR EACH ROW EXECUTE FUNCTION zoo.fires('a', 'b');
    COMMENT ON TRIGGER "instead ""of""" ON zoo.root IS 'fires';
    ALTER TRIGGER "instead ""of""" ON zoo.root DEPENDS ON EXTENSION plpgsql;

    CREATE VIEW "Odd ""S"" on"."V on ""w"".x; --" ("Id on", "where") AS SELECT id, name FROM zoo.root WHERE amount > 0;
    ALTER VIEW "Odd ""S"" on"."V on ""w"".x; --" OWNER TO ${other};
    ALTER VIEW "Odd ""S"" on"."V on ""w"".x; --" SET (security_invoker = true, check_option = 'cascaded');
    GRANT SELECT ("where") ON "Odd ""S"" on"."V on ""w"".x; --" TO ${reader};
    COMMENT ON COLUMN "Odd ""S"" on"."V on ""w"".x; --"."where" IS 'where';
    CREATE VIEW zoo.deeper AS WITH RECURSIVE t(n) AS (
      SELECT "Id on" FROM "Odd ""S"" on"."V on ""w"".x; --" UNION SELECT n + 1 FROM t WHERE n < 3) SELECT n FROM t;
    ALTER VIEW zoo.deeper OWNER TO ${applier};
    REVOKE ALL ON zoo.deeper FROM ${applier}, ${reader}, PUBLIC;
    CREATE VIEW zoo.given AS SELECT id, name FROM zoo.root;
    ALTER VIEW zoo.given OWNER TO ${owner};
    SET ROLE ${owner};
    REVOKE ALL ON zoo.given FROM ${owner};
    GRANT SELECT, UPDATE ON zoo.given TO PUBLIC;
    GRANT TRUNCATE ON zoo.given TO ${owner} WITH GRANT OPTION;
    GRANT REFERENCES (id), SELECT (name) ON zoo.given TO ${owner} WITH GRANT OPTION;
    GRANT REFERENCES (name) ON zoo.given TO ${owner};
    GRANT USAGE ON TYPE zoo.given TO ${owner} WITH GRANT OPTION;
    RESET ROLE;
    CREATE VIEW zoo.whole AS SELECT r AS row_of_root, pg_catalog.count(*) OVER () AS n FROM zoo.root r;

    CREATE MATERIALIZED VIEW zoo.mv WITH (fillfactor = 70, toast.autovacuum_enabled = false) AS
      SELECT id, name, amount, big FROM zoo.root;
    ALTER MATERIALIZED VIEW zoo.mv OWNER TO ${other};
    GRANT SELECT ON zoo.root TO ${other};
    ALTER MATERIALIZED VIEW zoo.mv ALTER COLUMN big SET STORAGE EXTERNAL, ALTER COLUMN big SET COMPRESSION pglz,
      ALTER COLUMN name SET STATISTICS 77, ALTER COLUMN id SET (n_distinct = -0.5, n_distinct_inherited = 7);
    ALTER MATERIALIZED VIEW zoo.mv DEPENDS ON EXTENSION plpgsql;
    CREATE UNIQUE INDEX "mv id" ON zoo.mv (id) INCLUDE (name) WITH (fillfactor = 60);
    CREATE INDEX mv_lower ON zoo.mv (pg_catalog.lower(name) COLLATE "C" DESC NULLS LAST, (amount * 2)) WHERE amount > 1;
    ALTER INDEX zoo.mv_lower ALTER COLUMN 2 SET STATISTICS 123;
    ALTER INDEX zoo.mv_lower DEPENDS ON EXTENSION plpgsql;
    COMMENT ON INDEX zoo.mv_lower IS 'by name';
    ALTER MATERIALIZED VIEW zoo.mv CLUSTER ON "mv id";`);
  await client.query(`
    CREATE UNIQUE INDEX mv_name ON zoo.mv (name);
    GRANT SELECT ON zoo.mv TO ${grantor} WITH GRANT OPTION;
    SET ROLE ${grantor};
    GRANT SELECT (id) ON zoo.mv TO ${reader};
    RESET ROLE;
    COMMENT ON MATERIALIZED VIEW zoo.mv IS 'stored';
    COMMENT ON COLUMN zoo.mv.big IS 'big';
    COMMENT ON TYPE zoo.mv IS 'stored row';
    CREATE STATISTICS "Odd ""S"" on"."mv on stats" (ndistinct, mcv) ON id, name FROM zoo.mv;
    ALTER STATISTICS "Odd ""S"" on"."mv on stats" OWNER TO ${owner};
    ALTER STATISTICS "Odd ""S"" on"."mv on stats" SET STATISTICS 55;
    COMMENT ON STATISTICS "Odd ""S"" on"."mv on stats" IS 'together';
    CREATE STATISTICS zoo.mv_expression ON (amount * 2) FROM zoo.mv;
    CREATE MATERIALIZED VIEW zoo.empty AS SELECT id FROM zoo.mv WITH NO DATA;
    ALTER MATERIALIZED VIEW zoo.empty OWNER TO ${other};
    ALTER MATERIALIZED VIEW zoo.empty REPLICA IDENTITY FULL;
    CREATE MATERIALIZED VIEW zoo.second AS SELECT id, pg_catalog.sum(amount) AS total FROM zoo.mv GROUP BY id;
    CREATE UNIQUE INDEX second_id ON zoo.second (id);
    ALTER MATERIALIZED VIEW zoo.second OWNER TO ${owner};
    GRANT SELECT ON zoo.mv TO ${owner};
    CREATE VIEW zoo.on_mv AS SELECT name, amount FROM zoo.mv WHERE id IN (SELECT id FROM zoo.second);

    CREATE FUNCTION zoo.largest("low on" integer DEFAULT 0, VARIADIC rest text[] DEFAULT '{}') RETURNS integer
      LANGUAGE sql STABLE STRICT PARALLEL SAFE COST 12.5 SET work_mem = '8MB' SET search_path = zoo, pg_temp
      BEGIN ATOMIC SELECT pg_catalog.max(id) FROM zoo.root WHERE id > "low on"; END;
    ALTER FUNCTION zoo.largest(integer, text[]) OWNER TO ${owner};
    REVOKE ALL ON FUNCTION zoo.largest(integer, text[]) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION zoo.largest(integer, text[]) TO ${grantor} WITH GRANT OPTION;
    SET ROLE ${grantor};
    GRANT EXECUTE ON FUNCTION zoo.largest(integer, text[]) TO ${reader};
    RESET ROLE;
    COMMENT ON FUNCTION zoo.largest(integer, text[]) IS 'the largest';
    ALTER FUNCTION zoo.largest(integer, text[]) DEPENDS ON EXTENSION plpgsql;
    CREATE FUNCTION zoo.rows_of_root(how integer) RETURNS SETOF zoo.root LANGUAGE plpgsql SECURITY DEFINER ROWS 7
      AS $f$ BEGIN RETURN QUERY SELECT * FROM zoo.root LIMIT how; END $f$;
    ALTER FUNCTION zoo.rows_of_root(integer) OWNER TO ${other};
    CREATE VIEW zoo.on_function AS SELECT f.id, f.name FROM zoo.rows_of_root(3) f;
    SET check_function_bodies = off;
    CREATE PROCEDURE zoo.moves(r zoo.root, INOUT n integer) LANGUAGE sql AS 'SELECT nothing FROM nowhere';
    RESET check_function_bodies;`);
  await client.query(`
    CREATE TABLE zoo.hosts (id integer DEFAULT zoo.largest(), note text);
    ALTER TABLE zoo.hosts ADD CONSTRAINT "small on" CHECK (id <> zoo.largest()) NOT VALID;
    ALTER TABLE zoo.hosts ADD CONSTRAINT valid CHECK (id < zoo.largest(5) + 1000) NO INHERIT;
    COMMENT ON CONSTRAINT "small on" ON zoo.hosts IS 'small';
    CREATE TABLE zoo.heir () INHERITS (zoo.base);
    CREATE POLICY "only on" ON zoo.hosts AS RESTRICTIVE FOR UPDATE TO ${reader}, ${grantor}
      USING (id IN (SELECT id FROM zoo.root)) WITH CHECK (EXISTS (SELECT FROM zoo.root r WHERE r.id = hosts.id));
    COMMENT ON POLICY "only on" ON zoo.hosts IS 'known ones';
    CREATE POLICY everybody ON zoo.hosts USING (id > (SELECT pg_catalog.min(id) FROM zoo.root));
    CREATE POLICY puts ON zoo.hosts FOR INSERT WITH CHECK (id IN (SELECT id FROM zoo.root));
    CREATE RULE "copies ""on""" AS ON INSERT TO zoo.hosts WHERE new.id > 5 DO ALSO (SELECT id FROM zoo.root; DELETE FROM zoo.root WHERE id < 0);
    ALTER TABLE zoo.hosts DISABLE RULE "copies ""on""";
    COMMENT ON RULE "copies ""on""" ON zoo.hosts IS 'copies';
    CREATE FUNCTION zoo.when_row(r zoo.root) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
    CREATE TRIGGER "when" BEFORE UPDATE OF note ON zoo.hosts FOR EACH ROW
      WHEN (old.id <> zoo.largest()) EXECUTE FUNCTION zoo.fires();
    ALTER TABLE zoo.hosts ENABLE ALWAYS TRIGGER "when";
    COMMENT ON TRIGGER "when" ON zoo.hosts IS 'sometimes';
    ALTER TRIGGER "when" ON zoo.hosts DEPENDS ON EXTENSION plpgsql;
    CREATE CONSTRAINT TRIGGER late AFTER INSERT ON zoo.hosts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (new.id > zoo.largest()) EXECUTE FUNCTION zoo.fires();
    ALTER TABLE zoo.hosts ENABLE REPLICA TRIGGER late;
    ALTER TABLE zoo.hosts OWNER TO ${owner};
    ALTER VIEW zoo.whole OWNER TO ${owner};
    ALTER VIEW zoo.on_mv OWNER TO ${other};
    ALTER VIEW zoo.on_function OWNER TO ${other};
    ALTER PROCEDURE zoo.moves(zoo.root, integer) OWNER TO ${other};
    ALTER FUNCTION zoo.when_row(zoo.root) OWNER TO ${other};
    ALTER STATISTICS zoo.mv_expression OWNER TO ${other};`);
}
