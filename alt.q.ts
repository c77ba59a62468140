import pg from "pg";
const c = new pg.Client({ host: "127.0.0.1", port: 55400 + Number(process.env.PGV ?? 18), user: "postgres", database: "postgres" });
await c.connect();
await c.query(`CREATE SCHEMA IF NOT EXISTS q; CREATE OR REPLACE FUNCTION q."odd fn"(INOUT a integer, VARIADIC b text[] DEFAULT '{}', OUT c text) RETURNS SETOF record LANGUAGE plpgsql AS 'BEGIN RETURN; END';
CREATE OR REPLACE PROCEDURE q.p(integer, OUT b text, INOUT c text) LANGUAGE plpgsql AS 'BEGIN END'`);
console.log((await c.query("SELECT i.* FROM pg_proc p, pg_identify_object('pg_proc'::regclass, p.oid, 0) i WHERE pronamespace='q'::regnamespace")).rows);
await c.query("DROP SCHEMA q CASCADE");
await c.end();
