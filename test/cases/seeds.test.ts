import { describe, expect } from "vitest";
import { expectOnlyReads } from "./sent-log.ts";
import { type Files, refusal, test, type World } from "./world.ts";

function seed(csv: string | Uint8Array, columns: string, more = ""): Files {
  return {
    "seeds/region.csv": csv,
    "models/region.sql": `MODEL (
  name shop.region,
  kind SEED (path '../seeds/region.csv'${more}),
  columns (${columns}),
);
`,
  };
}

const rows = (world: World) => world.sql("SELECT * FROM shop.region ORDER BY 1");

describe("seeds", () => {
  test("B01: a byte order mark and Windows line ends are no part of the data", async ({ world }) => {
    world.write(seed("\uFEFFid,name\r\n1,North\r\n2,South\r\n", "id INT, name TEXT"));
    await world.apply();
    expect(await rows(world)).toEqual([
      { id: 1, name: "North" },
      { id: 2, name: "South" },
    ]);
    world.write(seed("id,name\n1,North\n2,South\n", "id INT, name TEXT"));
    expect((await world.plan()).view.result).toBe("empty");
  });

  test("B03: NULL in a boolean column stays NULL; a word that is no boolean is named with its place", async ({
    world,
  }) => {
    world.write(seed("id,ok\n1,null\n2,false\n3,true\n4,\n", "id INT, ok BOOLEAN"));
    await world.apply();
    expect(await rows(world)).toEqual([
      { id: 1, ok: null },
      { id: 2, ok: false },
      { id: 3, ok: true },
      { id: 4, ok: null },
    ]);
    world.write(seed("id,ok\n1,null\n2,maybe\n", "id INT, ok BOOLEAN"));
    expect(await refusal(world.plan())).toBe('seeds/region.csv:3: "maybe" isn\'t true or false in column ok.');
  });

  test("B05: a row with more values than columns is an error with its line, and nothing is created", async ({
    world,
  }) => {
    world.write(seed("id,name\n1,North,\n2,South,x\n", "id INT, name TEXT"));
    expect(await refusal(world.plan())).toBe(
      "seeds/region.csv:2: 3 values, 2 columns.\nseeds/region.csv:3: 3 values, 2 columns.",
    );
    expectOnlyReads(world.sent());
  });

  test("B06: empty text and NULL are told apart by one rule, and typed columns take blanks as NULL", async ({
    world,
  }) => {
    const csv = 'k,a,n,d\nx,"",1,2020-02-29\ny,,,\nz,NULL,3,2020-03-01\n';
    const columns = "k TEXT, a TEXT, n INT, d DATE";
    world.write(seed(csv, columns));
    await world.apply();
    const query = "SELECT k, a, n, d::text FROM shop.region ORDER BY 1";
    expect(await world.sql(query)).toEqual([
      { k: "x", a: null, n: 1, d: "2020-02-29" },
      { k: "y", a: null, n: null, d: null },
      { k: "z", a: null, n: 3, d: "2020-03-01" },
    ]);
    world.write(seed(csv, columns, ", csv_settings (keep_default_na = false, na_values = [])"));
    await world.apply();
    expect(await world.sql(query)).toEqual([
      { k: "x", a: "", n: 1, d: "2020-02-29" },
      { k: "y", a: "", n: null, d: null },
      { k: "z", a: "NULL", n: 3, d: "2020-03-01" },
    ]);
  });

  test("B11: letters beyond ASCII arrive as they stand in the file, whatever the client's encoding says", async ({
    world,
  }) => {
    world.write(seed("id,name\n1,Łódź 和\n", "id INT, name TEXT"));
    const before = { ...process.env };
    Object.assign(process.env, { PGCLIENTENCODING: "LATIN1", LC_ALL: "C" });
    try {
      await world.apply();
    } finally {
      process.env = before;
    }
    expect(await world.sql("SELECT name = 'Łódź 和' AS same FROM shop.region")).toEqual([{ same: true }]);
  });
});
