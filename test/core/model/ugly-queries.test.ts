import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { modelMessages } from "../../builders/model.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

/** What can stand behind a header, and exactly what is said about it. */
const cases: readonly (readonly [what: string, text: string, messages: string])[] = [
  ["no query", "MODEL (name s.a)", "m.sql:1:8: This VIEW model has no query. A SELECT must follow its header."],
  [
    "INSERT for a query",
    "MODEL (name s.a);\nINSERT INTO t VALUES (1)",
    "m.sql:2:1: A model's query is a SELECT; INSERT can't be one.",
  ],
  [
    "DDL for a query",
    "MODEL (name s.a);\nCREATE VIEW v AS SELECT 1",
    "m.sql:2:1: A model's query is a SELECT; CREATE VIEW can't be one.",
  ],
  [
    "two queries",
    "MODEL (name s.a);\nSELECT 1;\nSELECT 2",
    "m.sql:3:1: A model has one query; this is a second one. Give it a file of its own.",
  ],
  [
    "a mistake in the query",
    "MODEL (name s.a);\n\nSELECT\n  'é', FROM\nWHERE",
    'm.sql:4:8: Syntax error at or near "FROM".',
  ],
  ["an unfinished query", "MODEL (name s.a);\nSELECT (1", "m.sql:2:10: Syntax error at end of input."],
  [
    "SELECT INTO",
    "MODEL (name s.a);\nSELECT 1 INTO t",
    "m.sql:2:1: A model's query can't have INTO; where its rows go is the model's kind.",
  ],
  [
    "a query that changes data",
    "MODEL (name s.a);\nWITH x AS (DELETE FROM t RETURNING 1) SELECT * FROM x",
    "m.sql:2:24: A model's query may not change data.",
  ],
  ["parameters", "MODEL (name s.a);\nSELECT $1", "m.sql:2:8: Parameters such as $1 can't stand in a model."],
  [
    "transactions",
    "MODEL (name s.a, kind FULL);\nSELECT 1;\nCOMMIT",
    "m.sql:3:1: BEGIN, COMMIT and the like can't stand in a model: Weir runs its statements in transactions of its own.",
  ],
  [
    "a relation of another database",
    "MODEL (name s.a);\nSELECT 1 FROM other.s.t",
    "m.sql:2:15: other.s.t is in the database other, and this gateway's is wh. A model reads its own database only.",
  ],

  [
    "a macro",
    "MODEL (name s.a);\nSELECT 1 WHERE ds = @start_ds AND x=@END_DS",
    "m.sql:2:21: The macro @start_ds isn't supported yet. Write out what it stands for.\nm.sql:2:37: The macro @END_DS isn't supported yet. Write out what it stands for.",
  ],
  [
    "a macro used often is said once",
    "MODEL (name s.a);\nSELECT @x, @X, @x",
    "m.sql:2:8: The macro @x isn't supported yet. Write out what it stands for.",
  ],
  [
    "a macro as a statement",
    "MODEL (name s.a);\n@DEF(x, 1);\nSELECT 1",
    "m.sql:2:1: The macro @DEF isn't supported yet. Write out what it stands for.",
  ],
  [
    "a macro in a name of a query",
    "MODEL (name s.a);\nSELECT 1 FROM s.t_@{suffix}",
    "m.sql:2:19: The macro @{suffix} isn't supported yet. Write out what it stands for.",
  ],
  [
    "Jinja",
    "MODEL (name s.a);\nSELECT {{ x }}",
    "m.sql:2:8: Jinja in a model isn't supported yet. Write out the SQL that it makes.",
  ],
  [
    "a Jinja block with anything in it",
    "MODEL (name s.a);\nJINJA_QUERY_BEGIN;\nSELECT '{% if it's %}'\nJINJA_END;",
    "m.sql:2:1: Jinja in a model isn't supported yet. Write out the SQL that it makes.",
  ],
  [
    "on virtual update",
    "MODEL (name s.a);\nSELECT 1;\nON_VIRTUAL_UPDATE_BEGIN;\nGRANT SELECT ON @this_model TO r;\nON_VIRTUAL_UPDATE_END;",
    "m.sql:3:1: ON_VIRTUAL_UPDATE isn't supported yet. Take the block out; grants and comments on views can be made by hand.",
  ],
  [
    "several faults at once",
    "MODEL (kind NOPE, ower x);\nSELECT @x;\nSELECT FROM FROM",
    'm.sql:1:13: There is no kind NOPE. Kinds are: VIEW, FULL, SEED, EMBEDDED, INCREMENTAL_BY_PARTITION.\nm.sql:1:19: There is no model property ower. Did you mean owner?\nm.sql:2:8: The macro @x isn\'t supported yet. Write out what it stands for.\nm.sql:3:13: Syntax error at or near "FROM".\nm.sql:1:8: The model has no name. Add one to its header: MODEL (name schema.model).',
  ],

  [
    "operators with an at sign are SQL",
    "MODEL (name s.a);\nSELECT @ -5, a @> b, a <@ b, a @@ b, a @? '$', '@x', $$ @{y} $$ -- @z\nFROM t",
    "-",
  ],
  [
    "this model",
    "MODEL (name s.a, kind FULL);\nSELECT 1 AS id;\nCREATE INDEX ON @this_model (id);\nANALYZE @{this_model}",
    "-",
  ],
  ["its own database in front", "MODEL (name wh.s.a);\nSELECT 1 FROM wh.s.t", "-"],
  [
    "a macro inside a quoted name",
    'MODEL (name s.a);\nSELECT 1 FROM s."t_@{x}", "a@b"',
    "m.sql:2:17: The macro @{x} isn't supported yet. Write out what it stands for.",
  ],
  [
    "statements around an embedded query",
    "MODEL (name s.a, kind EMBEDDED);\nSELECT 1 AS a;\nANALYZE s.t",
    "m.sql:3:1: An EMBEDDED model is never built, so this ANALYZE would never run. Take it out.",
  ],
];

describe("what is said about statements", () => {
  it.each(cases)("%s", (_what, text, expected) => {
    expect(modelMessages(parser, text)).toBe(expected);
  });

  it.each(cases)("is the same with CRLF line ends: %s", (_what, text, expected) => {
    expect(modelMessages(parser, text.replaceAll("\n", "\r\n"))).toBe(expected);
  });

  it("never throws, whatever the file holds", () => {
    const piece = fc.constantFrom(
      ...[
        "MODEL",
        "(",
        ")",
        "name",
        "s.a",
        "kind",
        "VIEW",
        "SEED",
        "path",
        "'x'",
        ",",
        ";",
        "SELECT",
        "1",
        "FROM",
        "t",
        "columns",
        "id int",
        "=",
        "[",
        "]",
        "AUDIT",
        "@x",
      ],
      ...[
        "{{",
        "'",
        '"',
        "$$",
        "/*",
        "--",
        "\n",
        "partitioned_by",
        "physical_properties",
        "indexes",
        "ON_VIRTUAL_UPDATE_BEGIN",
        "JINJA_END",
        "é",
        "\0",
        "description",
        ".",
      ],
    );
    const headed = fc.array(piece, { maxLength: 30 }).map((parts) => `MODEL (name s.a, ${parts.join(" ")}`);
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(" ")),
      headed,
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(text, (each) => void modelMessages(parser, each)),
      { numRuns: 3_000 },
    );
  });
});
