import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Captures, RestoreRights } from "../../server/core/catalog/captured.ts";
import type { ObjectName } from "../../server/core/catalog/catalog.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import { connectionTo } from "./connection.ts";
import { asRole, createDatabase, createRole, type TestDatabase, type TestRole } from "./database.ts";

const ALL_MAY = {
  mayAlter: true,
  mayGiveBack: true,
  ownerMayCreate: true,
  roleMayCreate: true,
  grantorsOutOfReach: [],
};

describe("what the applying role may do with what it captured", () => {
  let database: TestDatabase;
  let client: pg.Client;
  let version = 0;
  let applier: TestRole;
  let owner = "";
  let stranger = "";

  beforeAll(async () => {
    database = await createDatabase("rights");
    applier = await createRole(database, "applier");
    owner = (await createRole(database, "owner", "NOLOGIN")).name;
    stranger = (await createRole(database, "stranger", "NOLOGIN")).name;
    client = new pg.Client(database);
    await client.connect();
    version = Number((await client.query("SHOW server_version_num")).rows[0].server_version_num);
    await client.query(`
      CREATE SCHEMA open; GRANT ALL ON SCHEMA open TO "${owner}", "${applier.name}", "${stranger}";
      CREATE SCHEMA owners; GRANT ALL ON SCHEMA owners TO "${owner}"; GRANT USAGE ON SCHEMA owners TO "${applier.name}";
      CREATE SCHEMA appliers; GRANT ALL ON SCHEMA appliers TO "${applier.name}"; GRANT USAGE ON SCHEMA appliers TO "${owner}";`);
    for (const schema of ["open", "owners", "appliers"]) {
      await client.query(`SET search_path = ${schema};
        CREATE TABLE base (id integer); ALTER TABLE base OWNER TO "${owner}";
        CREATE VIEW v AS SELECT id FROM base; ALTER VIEW v OWNER TO "${owner}";
        CREATE MATERIALIZED VIEW m AS SELECT id FROM base; CREATE INDEX i ON m (id); CREATE STATISTICS s ON id, (id + 1) FROM m;
        ALTER MATERIALIZED VIEW m OWNER TO "${owner}"; ALTER STATISTICS s OWNER TO "${owner}";
        CREATE FUNCTION f() RETURNS integer LANGUAGE sql RETURN 1; ALTER FUNCTION f() OWNER TO "${owner}";
        CREATE RULE r AS ON INSERT TO base DO ALSO SELECT 1 AS x;`);
    }
  });
  afterAll(() => client.end());

  async function capture(
    objects: readonly ObjectName[],
    as: TestDatabase = asRole(database, applier),
  ): Promise<Captures> {
    const warehouse = await openWarehouse(connectionTo(as));
    try {
      return await warehouse.readCaptures(objects);
    } finally {
      await warehouse.close();
    }
  }

  function objectsIn(schema: string): readonly ObjectName[] {
    const named = [
      ["view", "v"],
      ["materialized view", "m"],
      ["index", "i"],
      ["statistics object", "s"],
      ["function", "f()"],
      ["rule", "r on base"],
    ] as const;
    return named.map(([type, name]) => ({ schema, name, type }));
  }

  async function rightsIn(
    schema: string,
    as?: TestDatabase,
  ): Promise<ReadonlyMap<string, Omit<RestoreRights, "object">>> {
    const { rights } = await capture(objectsIn(schema), as);
    expect(rights).toHaveLength(6);
    return new Map(rights.map(({ object, ...rest }) => [object.name, rest]));
  }

  async function withMembership(options: string, work: () => Promise<void>): Promise<void> {
    await client.query(`GRANT "${owner}" TO "${applier.name}" ${options}`);
    try {
      await work();
    } finally {
      await client.query(`REVOKE "${owner}" FROM "${applier.name}"`);
    }
  }

  test("a superuser may do all of it everywhere", async () => {
    for (const schema of ["open", "owners", "appliers"]) {
      for (const rights of (await rightsIn(schema, database)).values()) expect(rights).toEqual(ALL_MAY);
    }
  });

  test("a stranger may do nothing", async () => {
    for (const [name, rights] of await rightsIn("open")) {
      expect({ name, ...rights }).toEqual({ name, ...ALL_MAY, mayAlter: false, mayGiveBack: false });
    }
  });

  test("a member may do all of it where both may create", async () => {
    await withMembership("", async () => {
      for (const rights of (await rightsIn("open")).values()) expect(rights).toEqual(ALL_MAY);
    });
  });

  test("where the owner may not create any more, what is given back to it can't be", async () => {
    await withMembership("", async () => {
      const rights = await rightsIn("appliers");
      for (const name of ["v", "m", "s", "f()"])
        expect(rights.get(name)).toEqual({ ...ALL_MAY, ownerMayCreate: false });
      // An index and a rule are their relation's owner's from the beginning.
      for (const name of ["i", "r on base"]) expect(rights.get(name)).toEqual(ALL_MAY);
    });
  });

  test("where the role may not create itself, only what isn't made in a schema can be", async () => {
    await client.query(`REVOKE CREATE ON SCHEMA owners FROM "${owner}"`);
    await withMembership("", async () => {
      const neither = { ...ALL_MAY, ownerMayCreate: false, roleMayCreate: false };
      const rights = await rightsIn("owners");
      for (const name of ["v", "m", "s", "f()"]) expect(rights.get(name)).toEqual(neither);
      expect(rights.get("i")).toEqual({ ...ALL_MAY, roleMayCreate: false });
      expect(rights.get("r on base")).toEqual(ALL_MAY);
      await client.query(`GRANT CREATE ON SCHEMA owners TO "${owner}"`);
      // A member has it from the owner.
      for (const each of (await rightsIn("owners")).values()) expect(each).toEqual(ALL_MAY);
    });
  });

  test("a membership without SET may drop and not give back; one without INHERIT must be taken on first", async ({
    skip,
  }) => {
    if (version < 160_000) skip("from 16 on");
    await withMembership("WITH SET FALSE, INHERIT TRUE", async () => {
      for (const each of (await rightsIn("open")).values()) expect(each).toEqual({ ...ALL_MAY, mayGiveBack: false });
    });
    await withMembership("WITH SET TRUE, INHERIT FALSE", async () => {
      for (const each of (await rightsIn("open")).values()) expect(each).toEqual({ ...ALL_MAY, mayAlter: false });
    });
    await withMembership("WITH SET FALSE, INHERIT FALSE, ADMIN TRUE", async () => {
      for (const each of (await rightsIn("open")).values()) {
        expect(each).toEqual({ ...ALL_MAY, mayAlter: false, mayGiveBack: false });
      }
    });
  });

  test("a role that inherits nothing must take its memberships on first", async () => {
    const plain = await createRole(database, "plain", "LOGIN NOINHERIT");
    await client.query(`GRANT "${owner}" TO "${plain.name}"; GRANT ALL ON SCHEMA open TO "${plain.name}"`);
    for (const each of (await rightsIn("open", asRole(database, plain))).values()) {
      expect(each).toEqual({ ...ALL_MAY, mayAlter: false });
    }
  });

  test("what the server then says is what was foretold", async () => {
    const session = new pg.Client(asRole(database, applier));
    await session.connect();
    const tried = async (sql: string): Promise<boolean> => {
      await session.query("BEGIN");
      const done = await session.query(sql).then(
        () => true,
        () => false,
      );
      await session.query("ROLLBACK");
      return done;
    };
    const memberships = version >= 160_000 ? ["", "WITH SET FALSE", "WITH INHERIT FALSE"] : [""];
    for (const membership of memberships) {
      await withMembership(membership, async () => {
        for (const schema of ["open", "appliers", "owners"]) {
          const rights = (await rightsIn(schema)).get("v");
          const make = `CREATE VIEW ${schema}.made AS SELECT 1 AS id`;
          const give = `${make}; ALTER VIEW ${schema}.made OWNER TO "${owner}"`;
          expect({ membership, schema, drop: await tried(`DROP VIEW ${schema}.v`) }).toMatchObject({
            drop: rights?.mayAlter,
          });
          expect({ membership, schema, make: await tried(make) }).toMatchObject({ make: rights?.roleMayCreate });
          const foretold = rights?.roleMayCreate && rights.mayGiveBack && rights.ownerMayCreate;
          expect({ membership, schema, give: await tried(give) }).toMatchObject({ give: foretold });
        }
      });
    }
    await session.end();
  });

  test("grantors that can't be become", async () => {
    const [other, third] = [(await createRole(database, "b_other")).name, (await createRole(database, "a_third")).name];
    await client.query(`
      GRANT USAGE ON SCHEMA open TO "${other}", "${third}";
      SET ROLE "${owner}"; GRANT SELECT ON open.v TO "${other}" WITH GRANT OPTION;
      GRANT SELECT (id) ON open.m TO "${third}" WITH GRANT OPTION; GRANT USAGE ON TYPE open.m TO "${other}" WITH GRANT OPTION;
      GRANT EXECUTE ON FUNCTION open.f() TO "${third}" WITH GRANT OPTION;
      SET ROLE "${other}"; GRANT SELECT ON open.v TO PUBLIC; GRANT USAGE ON TYPE open.m TO "${stranger}";
      SET ROLE "${third}"; GRANT SELECT (id) ON open.m TO "${stranger}"; GRANT EXECUTE ON FUNCTION open.f() TO "${stranger}";
      RESET ROLE`);
    await withMembership("", async () => {
      const before = await rightsIn("open");
      expect(before.get("v")).toEqual({ ...ALL_MAY, grantorsOutOfReach: [other] });
      expect(before.get("m")).toEqual({ ...ALL_MAY, grantorsOutOfReach: [third, other] });
      expect(before.get("f()")).toEqual({ ...ALL_MAY, grantorsOutOfReach: [third] });
      await client.query(`GRANT "${third}" TO "${applier.name}"`);
      expect((await rightsIn("open")).get("m")).toEqual({ ...ALL_MAY, grantorsOutOfReach: [other] });
      for (const each of (await rightsIn("open", database)).values()) expect(each).toEqual(ALL_MAY);
    });
  });

  test("whom default privileges of the role give something, by schema", async () => {
    const [x, y] = [(await createRole(database, "x")).name, (await createRole(database, "y")).name];
    const mine = `ALTER DEFAULT PRIVILEGES FOR ROLE "${applier.name}"`;
    await client.query(`
      ${mine} GRANT SELECT ON TABLES TO "${y}", "${x}", "${applier.name}";
      ${mine} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
      ${mine} IN SCHEMA open GRANT SELECT ON TABLES TO PUBLIC;
      ${mine} IN SCHEMA open GRANT INSERT ON TABLES TO "${x}";
      ${mine} IN SCHEMA open GRANT EXECUTE ON FUNCTIONS TO "${x}";
      ${mine} IN SCHEMA open GRANT USAGE ON TYPES TO "${y}";
      ${mine} IN SCHEMA open GRANT USAGE ON SEQUENCES TO "${stranger}";
      ${mine} IN SCHEMA appliers GRANT EXECUTE ON FUNCTIONS TO "${stranger}";
      ALTER DEFAULT PRIVILEGES FOR ROLE "${owner}" GRANT SELECT ON TABLES TO "${stranger}";
      ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO "${stranger}"`);
    const v = (schema: string): ObjectName => ({ schema, name: "v", type: "view" });
    const { defaultGrantees } = await capture([
      v("open"),
      v("owners"),
      { ...v("open"), name: "r on base", type: "rule" },
    ]);
    expect(defaultGrantees).toEqual([
      { schema: "open", relations: ["PUBLIC", x, y], functions: [x], types: [y] },
      { schema: "owners", relations: [x, y], functions: [], types: [] },
    ]);
    // Those for everything begin with what is built in, once there are any.
    await client.query(`${mine} GRANT USAGE ON TYPES TO "${x}"`);
    const again = await capture([v("owners")]);
    expect(again.defaultGrantees).toEqual([
      { schema: "owners", relations: [x, y], functions: [], types: ["PUBLIC", x] },
    ]);
  });
});
