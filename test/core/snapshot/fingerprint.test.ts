import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeSnapshots } from "../../../server/core/snapshot/fingerprint.ts";
import type { Snapshot } from "../../../server/core/snapshot/snapshot.ts";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { type ModelSketch, sketchedProject } from "../../builders/snapshot.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

function snapshotsOf(...sketches: readonly ModelSketch[]): (key: string) => Snapshot {
  const snapshots = makeSnapshots(sketchedProject(parser, sketches), parser);
  return (key) => {
    const snapshot = snapshots.get(key);
    if (snapshot === undefined) throw new Error(`no snapshot of ${key}`);
    return snapshot;
  };
}

const IDENTITIES = ["definition", "content", "inPlace", "metadata"] as const;
const base: ModelSketch = { name: "shop.a", kind: "full", query: "SELECT id, name FROM raw.t WHERE id > 1" };

/** Which identities of shop.a, and which of its child's, an edit changes. */
function changedBy(edit: Partial<ModelSketch>, from: ModelSketch = base) {
  const child: ModelSketch = { name: "shop.child", query: "SELECT id FROM shop.a" };
  const old = snapshotsOf(from, child);
  const now = snapshotsOf({ ...from, ...edit }, child);
  const changed = (key: string) => IDENTITIES.filter((identity) => old(key)[identity] !== now(key)[identity]);
  return { own: changed("shop.a"), child: changed("shop.child") };
}

const DATA = { own: ["definition", "content"], child: ["content"] };

describe("what counts as data, as in place, as a label", () => {
  it.each<[string, Partial<ModelSketch>]>([
    ["another literal", { query: "SELECT id, name FROM raw.t WHERE id > 2" }],
    ["another column", { query: "SELECT id FROM raw.t WHERE id > 1" }],
    ["a quoted name in another case", { query: 'SELECT "ID" AS id, name FROM raw.t WHERE id > 1' }],
    ["another kind", { kind: "view" }],
    ["a pre-statement", { pre: ["SET work_mem = '1GB'"] }],
    ["a declared type", { columns: "id bigint, name text" }],
    ["partitioning", { partitionedBy: ["id"] }],
    ["a tablespace", { physicalProperties: { tablespace: "fast" } }],
    ["a property that isn't known", { physicalProperties: { novel: "1" } }],
    ["stamp", { metadata: { stamp: "2" } }],
  ])("%s is data, and children have it in their content", (_, edit) => {
    const { own, child } = changedBy(edit);
    expect(own.filter((identity) => identity !== "metadata")).toEqual(DATA.own);
    expect(child).toEqual(DATA.child);
  });

  it.each<[string, Partial<ModelSketch>]>([
    ["an index", { physicalProperties: { indexes: ["UNIQUE (id)"] } }],
    ["fillfactor", { physicalProperties: { fillfactor: 70 } }],
    ["autovacuum", { physicalProperties: { autovacuum_enabled: false } }],
    ["a description", { metadata: { description: "Items" } }],
    ["a column's description", { metadata: { columnDescriptions: { id: "Key" } } }],
    ["grants", { metadata: { other: { grants: "('select' = ['reader'])" } } }],
  ])("%s is in place, and never travels to children", (_, edit) => {
    expect(changedBy(edit)).toEqual({ own: ["inPlace"], child: [] });
  });

  it.each<[string, Partial<ModelSketch>]>([
    ["owner", { metadata: { owner: "ilse" } }],
    ["tags", { metadata: { tags: ["mytag_a"] } }],
    ["cron", { metadata: { cron: "@hourly" } }],
    ["cron_tz", { metadata: { cronTz: "Europe/Berlin" } }],
    ["start", { metadata: { start: "2024-01-01" } }],
    ["audits", { metadata: { other: { audits: "(pos(column := n))" } } }],
    ["virtual properties", { virtualProperties: { security_barrier: true } }],
  ])("%s is a label, and never travels to children", (_, edit) => {
    expect(changedBy(edit)).toEqual({ own: ["metadata"], child: [] });
  });

  it.each<[string, Partial<ModelSketch>, ModelSketch]>([
    ["layout, comments and keyword case", { query: "select ID, Name /* x */\n-- y\nFrom RAW.T\twhere (id > 1)" }, base],
    ["the order of tags", { metadata: { tags: ["b", "a", "a"] } }, { ...base, metadata: { tags: ["a", "b"] } }],
    ["a type's other name", { columns: "id INT" }, { ...base, columns: "id integer" }],
    [
      "a number as a text",
      { physicalProperties: { fillfactor: "70" } },
      { ...base, physicalProperties: { FILLFACTOR: 70 } },
    ],
    [
      "white space in an index",
      { physicalProperties: { indexes: ["(id)\n  INCLUDE (name)"] } },
      { ...base, physicalProperties: { indexes: ["(id) INCLUDE (name)"] } },
    ],
  ])("%s is nothing", (_, edit, from) => {
    expect(changedBy(edit, from)).toEqual({ own: [], child: [] });
  });

  it("a seed's rows are data, its path is not", () => {
    const seed = { path: "seeds/a.csv", content: "rows", columns: ["id"], rows: 1 };
    const from: ModelSketch = { name: "shop.a", kind: { kind: "seed", seed } };
    expect(changedBy({ kind: { kind: "seed", seed: { ...seed, path: "data/a.csv" } } }, from).own).toEqual([]);
    expect(changedBy({ kind: { kind: "seed", seed: { ...seed, content: "others" } } }, from)).toEqual(DATA);
  });
});

describe("what travels", () => {
  it("an EMBEDDED parent is part of its reader's content, not of its definition, and isn't a managed parent", () => {
    const reader: ModelSketch = { name: "shop.a", query: "SELECT id FROM shop.e" };
    const top: ModelSketch = { name: "shop.top", kind: "full" };
    const old = snapshotsOf(reader, { name: "shop.e", kind: "embedded", query: "SELECT id FROM shop.top" }, top);
    const now = snapshotsOf(reader, { name: "shop.e", kind: "embedded", query: "SELECT 2 AS id FROM shop.top" }, top);
    expect(old("shop.a").parents).toEqual(["shop.top"]);
    expect(now("shop.a").definition).toBe(old("shop.a").definition);
    expect(now("shop.a").content).not.toBe(old("shop.a").content);
  });

  it("B24: declaring an EXTERNAL parent changes nothing, its columns only readers of `*`", () => {
    const models: readonly ModelSketch[] = [
      { name: "shop.named", query: "SELECT id FROM raw.t" },
      { name: "shop.star", query: "SELECT * FROM raw.t" },
    ];
    const undeclared = snapshotsOf(...models);
    const bare = snapshotsOf(...models, { name: "raw.t", kind: "external" });
    const typed = snapshotsOf(...models, { name: "raw.t", kind: "external", columns: "id int" });
    const grown = snapshotsOf(...models, { name: "raw.t", kind: "external", columns: "id int, name text" });
    expect(bare("shop.named").id).toBe(undeclared("shop.named").id);
    expect(bare("shop.star").id).toBe(undeclared("shop.star").id);
    expect(grown("shop.named").id).toBe(undeclared("shop.named").id);
    expect(typed("shop.star").content).not.toBe(bare("shop.star").content);
    expect(grown("shop.star").content).not.toBe(typed("shop.star").content);
    expect(grown("shop.star").definition).toBe(bare("shop.star").definition);
  });

  it("B22: the layout of a parent's query reaches nobody", () => {
    const child: ModelSketch = { name: "shop.c", kind: "full", query: "SELECT id FROM shop.a" };
    const old = snapshotsOf(base, child);
    const now = snapshotsOf({ ...base, query: "/* reflowed */ SELECT ID,NAME FROM RAW.T WHERE ID>1" }, child);
    expect(now("shop.a").id).toBe(old("shop.a").id);
    expect(now("shop.c").id).toBe(old("shop.c").id);
  });

  it("a model that reads itself has a fingerprint, and isn't its own parent", () => {
    const self = snapshotsOf({ name: "shop.a", kind: "full", query: "SELECT id FROM shop.a" });
    expect(self("shop.a").parents).toEqual([]);
  });
});

describe("laws", () => {
  /** Tokens of a query with the words that may be folded, so that layout can be made up between them. */
  const tokens =
    "SELECT|o.ID|AS|key|,|sum|(|o.Amount|)|total|FROM|raw.Orders|o|JOIN|raw.kinds|k|ON|o.kind|=|k.id|WHERE|o.day|>|'2024-01-01'|GROUP|BY|o.id".split(
      "|",
    );
  const gap = fc.constantFrom(" ", "\n", "\t", "  ", " /* note */ ", " -- note\n");
  const spelling = (token: string) =>
    token.startsWith("'") ? fc.constant(token) : fc.constantFrom(token, token.toLowerCase(), token.toUpperCase());
  const layout = fc.tuple(...tokens.map((token) => fc.tuple(spelling(token), gap)));
  const textOf = (parts: readonly (readonly [string, string])[]) => parts.flat().join("");

  it("layout, comments and the case of keywords and bare names never change anything", () => {
    const plain = snapshotsOf({ name: "shop.a", query: tokens.join(" ") })("shop.a").id;
    fc.assert(
      fc.property(layout, (parts) => {
        expect(snapshotsOf({ name: "shop.a", query: textOf(parts) })("shop.a").id).toBe(plain);
      }),
      { numRuns: 50 },
    );
  });

  it("redundant parentheses never change anything", () => {
    const plain = snapshotsOf({ name: "shop.a", query: "SELECT a + 1 AS x FROM raw.t WHERE a > 1 AND b < 2" })(
      "shop.a",
    ).id;
    const wrap = fc.nat({ max: 4 }).map((depth) => (text: string) => `${"(".repeat(depth)}${text}${")".repeat(depth)}`);
    fc.assert(
      fc.property(wrap, wrap, wrap, wrap, (one, two, three, four) => {
        const query = four(
          `SELECT ${one("a + 1")} AS x FROM raw.t WHERE ${two(`${three("a > 1")} AND b < ${one("2")}`)}`,
        );
        expect(snapshotsOf({ name: "shop.a", query })("shop.a").id).toBe(plain);
      }),
      { numRuns: 50 },
    );
  });

  it("a literal's change always changes the definition", () => {
    const literal = fc.oneof(
      fc.integer().map(String),
      fc
        .string({ maxLength: 20 })
        .filter((text) => !text.includes("\0"))
        .map((text) => `'${text.replaceAll("'", "''")}'`),
    );
    const definition = (text: string) =>
      snapshotsOf({ name: "shop.a", query: `SELECT id FROM raw.t WHERE x = ${text}` })("shop.a").definition;
    fc.assert(
      fc.property(literal, literal, (one, two) => {
        expect(definition(one) === definition(two)).toBe(one === two);
      }),
      { numRuns: 100 },
    );
  });

  it("the order of files never matters", () => {
    const models: readonly ModelSketch[] = [
      base,
      { name: "shop.b", query: "SELECT id FROM shop.a" },
      { name: "shop.c", query: "SELECT id FROM shop.a" },
      { name: "shop.d", kind: "full", query: "SELECT b.id FROM shop.b b JOIN shop.c c ON b.id = c.id" },
    ];
    const ids = (sketches: readonly ModelSketch[]) => models.map(({ name }) => snapshotsOf(...sketches)(name).id);
    const expected = ids(models);
    fc.assert(
      fc.property(fc.shuffledSubarray([...models], { minLength: models.length }), (shuffled) => {
        expect(ids(shuffled)).toEqual(expected);
      }),
    );
  });
});

describe("format 1", () => {
  const golden = JSON.parse(readFileSync(new URL("fingerprint.golden.json", import.meta.url), "utf8")) as {
    readonly parser: string;
    readonly models: readonly { readonly sketch: ModelSketch; readonly hashes: Record<string, string> }[];
  };

  it("is pinned: these texts have these hashes for as long as the format and the parser's release are these", () => {
    expect(parser.version).toBe(golden.parser);
    const snapshot = snapshotsOf(...golden.models.map(({ sketch }) => sketch));
    for (const { sketch, hashes } of golden.models) {
      const { format, definition, content, inPlace, metadata } = snapshot(sketch.name);
      expect({ name: sketch.name, format, definition, content, inPlace, metadata }).toEqual({
        name: sketch.name,
        ...hashes,
      });
    }
  });
});
