import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import type { Captured } from "../../server/core/catalog/captured.ts";
import type { Grant, ObjectName } from "../../server/core/catalog/catalog.ts";
import { openWarehouse } from "../../server/engine/postgres/warehouse.ts";
import type { Warehouse } from "../../server/ports/warehouse.ts";
import { connectionTo } from "./connection.ts";
import { createDatabase, createRole, type TestDatabase } from "./database.ts";

/** A database with schemas `z` and `own`, a table `z.base`, and three roles, for a file whose tests follow each other. */
export interface CaptureWorld {
  readonly database: TestDatabase;
  readonly client: pg.Client;
  readonly warehouse: Warehouse;
  readonly version: number;
  /** Owns everything; grants to `first`, who grants on to `second`. */
  readonly owner: string;
  readonly first: string;
  readonly second: string;
  /** Of the cluster: whatever is put into it must have left it when the file ends. */
  readonly tablespace: string;
  readonly capture: (type: string, name: string, schema?: string) => Promise<Captured>;
  /** By the owner, unless said otherwise. */
  readonly grant: (grantee: string, privilege: string, changes?: Partial<Grant>) => Grant;
  readonly ownersTableGrants: () => readonly Grant[];
  readonly as: (role: string, sql: string) => Promise<void>;
  /** No provider of labels is at hand; what two would write is written for them. */
  readonly label: (catalog: string, oid: string, column: number, text: string) => Promise<void>;
  readonly labels: (text: string) => readonly object[];
}

/** Registers the hooks of a file; what it returns is filled by them. */
export function setUpCaptures(name: string): CaptureWorld {
  const filled: { -readonly [Key in keyof CaptureWorld]?: CaptureWorld[Key] } = {};

  beforeAll(async () => {
    const database = await createDatabase(name);
    const owner = (await createRole(database, "owner")).name;
    const [first, second] = [(await createRole(database, "first")).name, (await createRole(database, "second")).name];
    const tablespace = `space_${owner.split("_").at(-1)}`;
    const client = new pg.Client(database);
    await client.connect();
    const version = Number((await client.query("SHOW server_version_num")).rows[0].server_version_num);
    await client.query("SET allow_in_place_tablespaces = on");
    await client.query(`CREATE TABLESPACE ${tablespace} LOCATION ''`);
    await client.query(`
      CREATE SCHEMA z; CREATE SCHEMA own;
      GRANT ALL ON SCHEMA z, own TO "${owner}"; GRANT USAGE ON SCHEMA z TO "${first}";
      GRANT ALL ON TABLESPACE ${tablespace} TO "${owner}";
      SET search_path = '';
      CREATE TABLE z.base (id integer PRIMARY KEY, name text, big text, day date);
      ALTER TABLE z.base OWNER TO "${owner}";
      CREATE DOMAIN z.dom AS text COLLATE "C";`);
    const warehouse = await openWarehouse(connectionTo(database));
    const grant: CaptureWorld["grant"] = (grantee, privilege, changes = {}) => ({
      ...{ grantor: owner, grantee, privilege, grantable: false },
      ...changes,
    });
    Object.assign(filled, { database, client, warehouse, version, owner, first, second, tablespace, grant });
    filled.capture = async (type, objectName, schema = "z") => {
      const object: ObjectName = { schema, name: objectName, type };
      const [captured] = (await warehouse.readCaptures([object])).objects;
      if (captured === undefined) throw new Error(`no ${type} ${objectName}`);
      expect(captured.object).toEqual(object);
      return captured;
    };
    filled.ownersTableGrants = () => {
      const all = ["DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE"];
      return [...all, ...(version >= 170_000 ? ["MAINTAIN"] : [])].map((privilege) => grant(owner, privilege));
    };
    filled.as = async (role, sql) => {
      await client.query(`SET ROLE "${role}"; ${sql}; RESET ROLE`);
    };
    filled.label = async (catalog, oid, column, text) => {
      const at = `${oid}, 'pg_catalog.${catalog}'::pg_catalog.regclass, ${column}`;
      await client.query(`SET allow_system_table_mods = on;
        INSERT INTO pg_catalog.pg_seclabel (objoid, classoid, objsubid, provider, label)
        VALUES (${at}, 'selinux', '${text}'), (${at}, 'dummy', '${text} too');
        RESET allow_system_table_mods`);
    };
    filled.labels = (text) => [
      { provider: "dummy", label: `${text} too` },
      { provider: "selinux", label: text },
    ];
  });
  afterAll(async () => {
    const { client, tablespace, warehouse } = filled;
    await warehouse?.close();
    for (const kind of ["MATERIALIZED VIEW", "INDEX"]) {
      await client?.query(`ALTER ${kind} ALL IN TABLESPACE ${tablespace} SET TABLESPACE pg_default`);
    }
    await client?.query(`DROP TABLESPACE ${tablespace}`);
    await client?.end();
  });
  return new Proxy(filled as CaptureWorld, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (value === undefined) throw new Error(`${String(key)} is used before the file's hooks have run`);
      return value;
    },
  });
}

/** As grants are sorted: by who has what from whom. */
export function sorted(grants: readonly Grant[]): readonly Grant[] {
  const keyOf = (each: Grant): string => JSON.stringify([each.grantee, each.privilege, each.grantor]);
  return [...grants].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
