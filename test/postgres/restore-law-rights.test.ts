import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Captured, RestoreRights } from "../../server/core/catalog/captured.ts";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { createStatements } from "../../server/core/engine/postgres/restore/create-object.ts";
import { dropStatements } from "../../server/core/engine/postgres/restore/drop-object.ts";
import { makeTimeouts } from "../../server/core/engine/postgres/statement.ts";
import { readCaptures } from "../../server/engine/postgres/capture/read-captures.ts";
import type { RunQuery } from "../../server/engine/postgres/query.ts";
import { asRole, createDatabase, createRole, type TestRole } from "./database.ts";

const VIEW: ObjectName = { schema: "bi", name: "v", type: "view" };
const FUNCTION: ObjectName = { schema: "bi", name: "f()", type: "function" };

describe("who is said to be able to make something again can, and nobody else", () => {
  let admin: pg.Client;
  let applier: pg.Client;
  const roles: { applier?: TestRole; owner?: TestRole; grantor?: TestRole; reader?: TestRole } = {};

  beforeAll(async () => {
    const database = await createDatabase("rights");
    admin = new pg.Client(database);
    await admin.connect();
    for (const name of ["owner", "grantor", "reader"] as const)
      roles[name] = await createRole(database, name, "NOLOGIN");
    roles.applier = await createRole(database, "applier");
    applier = new pg.Client(asRole(database, roles.applier));
    await applier.connect();
    await admin.query(
      named(`
        CREATE SCHEMA bi;
        CREATE VIEW bi.v AS SELECT 1 AS id;
        ALTER VIEW bi.v OWNER TO $owner;
        CREATE FUNCTION bi.f() RETURNS integer LANGUAGE sql AS 'SELECT 1';
        ALTER FUNCTION bi.f() OWNER TO $owner;
        GRANT USAGE ON SCHEMA bi TO $grantor;
        GRANT SELECT ON bi.v TO $grantor WITH GRANT OPTION;
        SET ROLE $grantor;
        GRANT SELECT ON bi.v TO $reader;
        RESET ROLE;
        GRANT CREATE, USAGE ON SCHEMA bi TO $owner, $applier;
        GRANT $owner, $grantor TO $applier;`),
    );
  });
  afterAll(async () => {
    await applier.end();
    await admin.end();
  });

  /** `$owner` and the like stand for their roles. */
  function named(sql: string): string {
    return sql.replace(/\$(applier|owner|grantor|reader)/g, (_, name: keyof typeof roles) =>
      pg.escapeIdentifier(roles[name]?.name ?? ""),
    );
  }

  const run: RunQuery = async (query) => (await applier.query(query.text, [...query.values])).rows;

  function allows(rights: RestoreRights): boolean {
    const { mayAlter, mayGiveBack, ownerMayCreate, roleMayCreate, grantorsOutOfReach } = rights;
    return mayAlter && mayGiveBack && ownerMayCreate && roleMayCreate && grantorsOutOfReach.length === 0;
  }

  /** What the reader says, and what happens. */
  async function trial(
    object: ObjectName,
  ): Promise<{ readonly said: boolean; readonly done: boolean; readonly error: string }> {
    await applier.query("BEGIN; SET LOCAL search_path TO ''");
    try {
      const { objects, defaultGrantees, rights } = await readCaptures(run, [object]);
      const said = rights.length === 1 && rights.every(allows);
      const captured = objects[0];
      return {
        said,
        ...(captured === undefined ? { done: false, error: "not captured" } : await replace(captured, defaultGrantees)),
      };
    } finally {
      await applier.query("ROLLBACK");
    }
  }

  async function replace(
    captured: Captured,
    defaultGrantees: Parameters<typeof createStatements>[1]["defaultGrantees"],
  ) {
    const context = { role: roles.applier?.name ?? "", defaultGrantees, timeouts: makeTimeouts(1_000) };
    try {
      for (const { sql } of dropStatements(captured, context.timeouts)) await applier.query(sql);
      for (const { sql } of createStatements(captured, context)) await applier.query(sql);
      return { done: true, error: "" };
    } catch (error) {
      return { done: false, error: String(error) };
    }
  }

  const hindrances: readonly (readonly [string, ObjectName, string, string])[] = [
    ["nothing, for a view", VIEW, "SELECT", "SELECT"],
    ["nothing, for a function", FUNCTION, "SELECT", "SELECT"],
    ["no member of the owner", VIEW, "REVOKE $owner FROM $applier", "GRANT $owner TO $applier"],
    ["no CREATE for the owner", VIEW, "REVOKE CREATE ON SCHEMA bi FROM $owner", "GRANT CREATE ON SCHEMA bi TO $owner"],
    [
      "no CREATE for either",
      FUNCTION,
      "REVOKE CREATE ON SCHEMA bi FROM $owner, $applier",
      "GRANT CREATE ON SCHEMA bi TO $owner, $applier",
    ],
    ["a grantor who can't be become", VIEW, "REVOKE $grantor FROM $applier", "GRANT $grantor TO $applier"],
    [
      "a grantor who may not use the schema any more",
      VIEW,
      "REVOKE USAGE ON SCHEMA bi FROM $grantor",
      "GRANT USAGE ON SCHEMA bi TO $grantor",
    ],
    [
      "an owner whose rights aren't inherited",
      VIEW,
      "GRANT $owner TO $applier WITH INHERIT FALSE",
      "GRANT $owner TO $applier WITH INHERIT TRUE",
    ],
    [
      "an owner who can't be become",
      VIEW,
      "GRANT $owner TO $applier WITH SET FALSE",
      "GRANT $owner TO $applier WITH SET TRUE",
    ],
    [
      "only superusers make leakproof functions",
      FUNCTION,
      "ALTER FUNCTION bi.f() LEAKPROOF",
      "ALTER FUNCTION bi.f() NOT LEAKPROOF",
    ],
    [
      "the language may not be used",
      FUNCTION,
      "REVOKE USAGE ON LANGUAGE sql FROM PUBLIC",
      "GRANT USAGE ON LANGUAGE sql TO PUBLIC",
    ],
  ];

  test.each(hindrances)("%s", async (hindrance, object, before, after) => {
    await admin.query(named(before));
    const { said, done, error } = await trial(object).finally(() => admin.query(named(after)));
    expect({ said, error: done ? "" : error }).toEqual({ said: done, error: done ? "" : error });
    expect(done).toBe(hindrance.startsWith("nothing"));
  });
});
