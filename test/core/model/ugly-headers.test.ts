import { beforeAll, describe, expect, it } from "vitest";
import type { SqlParser } from "../../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../../server/engine/postgres/sql-parser.ts";
import { modelMessages } from "../../builders/model.ts";

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

const later = "Kinds that are: VIEW, FULL, SEED, EMBEDDED, INCREMENTAL_BY_PARTITION.";

/** What a header can be like, and exactly what is said about it. */
const cases: readonly (readonly [what: string, text: string, messages: string])[] = [
  ["an empty file", "", ""],
  ["a file of comments", "-- later\n/* more */\n", ""],
  ["a disabled model, however broken", "MODEL (name s.a, enabled false, kind NOPE); SELECT FROM", ""],
  [
    "no header",
    "SELECT 1",
    "m.sql:1:1: This file has no header. A model file begins with one, for example: MODEL (name sales.orders, kind VIEW);",
  ],
  [
    "a header that is never closed",
    "MODEL (name s.a;\nSELECT 1",
    "m.sql:1:7: The header is never closed: the ) of MODEL (…) is missing.",
  ],
  [
    "no semicolon behind the header",
    "MODEL (name s.a)\nSELECT 1",
    "m.sql:2:1: There must be a ; between MODEL (…) and what follows.",
  ],
  [
    "a quote that is never closed",
    "MODEL (name s.a);\nSELECT 'x",
    "m.sql:2:8: This text is never closed: the second ' is missing.",
  ],
  [
    "a name that is never closed",
    'MODEL (name s.a);\nSELECT "x',
    'm.sql:2:8: This name is never closed: the second " is missing.',
  ],
  [
    "a dollar quote that is never closed",
    "MODEL (name s.a);\nSELECT $x$ $$",
    "m.sql:2:8: This quoted text is never closed: the second $x$ is missing.",
  ],
  [
    "a comment that is never closed",
    "MODEL (name s.a);\n/* /* */ SELECT 1",
    "m.sql:2:1: This comment is never closed: */ is missing.",
  ],
  [
    "two models in a file",
    "MODEL (name s.a); SELECT 1;\nMODEL (name s.b); SELECT 2",
    "m.sql:2:1: A file holds one model; this is a second MODEL (…). Give it a file of its own.",
  ],

  [
    "no name",
    "MODEL (kind VIEW); SELECT 1",
    "m.sql:1:8: The model has no name. Add one to its header: MODEL (name schema.model).",
  ],
  [
    "an unknown property",
    "MODEL (name s.a, knid FULL); SELECT 1",
    "m.sql:1:18: There is no model property knid. Did you mean kind?",
  ],
  [
    "an unknown property like none",
    "MODEL (name s.a, whatever 1); SELECT 1",
    "m.sql:1:18: There is no model property whatever.",
  ],
  ["a property without value", "MODEL (name s.a, owner); SELECT 1", "m.sql:1:18: The property owner has no value."],
  [
    "a property given twice",
    "MODEL (name s.a, owner x, owner y); SELECT 1",
    "m.sql:1:27: The property owner is given twice.",
  ],
  [
    "a missing comma",
    "MODEL (name s.a\n  kind FULL); SELECT 1",
    "m.sql:2:3: kind can't stand in the model's name. Is a comma missing before it?",
  ],
  [
    "a missing comma behind the kind",
    "MODEL (name s.a, kind FULL\n  owner x); SELECT 1",
    "m.sql:2:3: owner can't follow the kind. Is a comma missing before it?",
  ],
  [
    "a name of four parts",
    "MODEL (name a.b.c.d); SELECT 1",
    "m.sql:1:13: The name a.b.c.d has 4 parts; a model has at most three.",
  ],
  [
    "another database",
    "MODEL (name other.s.a); SELECT 1",
    "m.sql:1:13: other.s.a is in the database other, and this gateway's is wh. Take the first part away.",
  ],
  ["a name that ends in a dot", "MODEL (name s.); SELECT 1", "m.sql:1:13: The model's name ends in a dot."],
  ["an empty name", 'MODEL (name s.""); SELECT 1', "m.sql:1:13: The model's name has an empty part."],
  [
    "a long name",
    `MODEL (name s.${"é".repeat(33)}); SELECT 1`,
    `m.sql:1:13: The name ${"é".repeat(33)} has 66 bytes; Postgres keeps 63. Choose a shorter one.`,
  ],
  ["a text for a name", "MODEL (name 's.a'); SELECT 1", "m.sql:1:13: 's.a' can't stand in the model's name."],
  [
    "a macro in a name",
    "MODEL (name @{schema}.a); SELECT 1",
    "m.sql:1:13: The macro @{schema} isn't supported yet. Write out what it stands for.",
  ],
  [
    "a macro in another property",
    "MODEL (name s.a, owner @owner); SELECT 1",
    "m.sql:1:24: The macro @owner isn't supported yet. Write out what it stands for.",
  ],
  [
    "neither true nor false",
    "MODEL (name s.a, enabled maybe); SELECT 1",
    "m.sql:1:26: enabled is true or false, not maybe.",
  ],

  ["an unknown kind", "MODEL (name s.a, kind VEIW); SELECT 1", "m.sql:1:23: There is no kind VEIW. Did you mean VIEW?"],
  [
    "a kind like none",
    "MODEL (name s.a, kind THING); SELECT 1",
    "m.sql:1:23: There is no kind THING. Kinds are: VIEW, FULL, SEED, EMBEDDED, INCREMENTAL_BY_PARTITION.",
  ],
  [
    "a kind of later",
    "MODEL (name s.a, kind INCREMENTAL_BY_TIME_RANGE (time_column ds)); SELECT 1",
    `m.sql:1:23: The kind INCREMENTAL_BY_TIME_RANGE isn't supported yet. ${later}`,
  ],
  [
    "SCD",
    "MODEL (name s.a, kind SCD_TYPE_2 (unique_key id)); SELECT 1",
    `m.sql:1:23: The kind SCD_TYPE_2 isn't supported yet. ${later}`,
  ],
  [
    "EXTERNAL in a file",
    "MODEL (name s.a, kind EXTERNAL); SELECT 1",
    "m.sql:1:23: External models are declared in external_models.yaml, not in a model file.",
  ],
  [
    "a kind's unknown property",
    "MODEL (name s.a, kind VIEW (materialised true)); SELECT 1",
    "m.sql:1:29: VIEW has no property materialised. Did you mean materialized?",
  ],
  ["a kind without properties", "MODEL (name s.a, kind FULL (x 1)); SELECT 1", "m.sql:1:29: FULL has no property x."],
  [
    "forward_only where it always is",
    "MODEL (name s.a, kind INCREMENTAL_BY_PARTITION (forward_only true), partitioned_by a); SELECT 1 AS a",
    "m.sql:1:49: INCREMENTAL_BY_PARTITION is always forward-only; take forward_only out.",
  ],
  [
    "no partitions",
    "MODEL (name s.a, kind INCREMENTAL_BY_PARTITION); SELECT 1 AS a",
    "m.sql:1:23: INCREMENTAL_BY_PARTITION needs partitioned_by: the key whose partitions are replaced.",
  ],
  [
    "partitions of a view",
    "MODEL (name s.a, partitioned_by a); SELECT 1 AS a",
    "m.sql:1:33: A VIEW model can't have partitioned_by.",
  ],
  [
    "a partition key of two columns",
    "MODEL (name s.a, kind FULL, partitioned_by (a, b || c)); SELECT 1 AS a",
    "m.sql:1:48: b || c must name exactly one column of the model.",
  ],
  [
    "a partition key that is none",
    "MODEL (name s.a, kind FULL, partitioned_by (a +)); SELECT 1 AS a",
    "m.sql:1:45: a + can't be read as an expression.",
  ],
  [
    "a seed without path",
    "MODEL (name s.a, kind SEED)",
    "m.sql:1:23: A SEED needs the path of its CSV file: kind SEED (path '../seeds/file.csv').",
  ],
  [
    "a seed with a query",
    "MODEL (name s.a, kind SEED (path 'a.csv')); SELECT 1",
    "m.sql:1:45: A SEED has no query; its rows come from its file.",
  ],
  [
    "a seed's unknown setting",
    "MODEL (name s.a, kind SEED (path 'a.csv', csv_settings (delimeter = ';')))",
    "m.sql:1:57: There is no csv_settings key delimeter. Did you mean delimiter?",
  ],
  [
    "a seed's wrong setting",
    "MODEL (name s.a, kind SEED (path 'a.csv', csv_settings (delimiter = '||')))",
    "m.sql:1:69: delimiter is one character, not '||'.",
  ],

  [
    "a column without type",
    "MODEL (name s.a, columns (id, b text)); SELECT 1 AS id",
    "m.sql:1:27: The column id has no type.",
  ],
  [
    "a column twice",
    "MODEL (name s.a, columns (id int, ID text)); SELECT 1 AS id",
    "m.sql:1:35: The column ID is given twice.",
  ],
  [
    "a type that is none",
    "MODEL (name s.a, columns (id int; drop)); SELECT 1 AS id",
    "m.sql:1:18: int; drop can't be the type of the column id.",
  ],
  [
    "columns without parentheses",
    "MODEL (name s.a, columns id int); SELECT 1 AS id",
    "m.sql:1:18: columns is a list in parentheses: columns (id INT, name TEXT).",
  ],
  [
    "an index that is none",
    "MODEL (name s.a, kind FULL, physical_properties (indexes = ('id'))); SELECT 1 AS id",
    "m.sql:1:29: The index 'id' can't be read. It is what follows CREATE INDEX ON t, for example 'UNIQUE (id)'.",
  ],
  [
    "an index that does more",
    "MODEL (name s.a, kind FULL, physical_properties (indexes = ('(id); DROP TABLE x'))); SELECT 1 AS id",
    "m.sql:1:29: The index '(id); DROP TABLE x' can't be read. It is what follows CREATE INDEX ON t, for example 'UNIQUE (id)'.",
  ],
  [
    "indexes of a view",
    "MODEL (name s.a, physical_properties (indexes = ('(id)'))); SELECT 1 AS id",
    "m.sql:1:18: A VIEW model can't have indexes.",
  ],
  [
    "properties without a key",
    "MODEL (name s.a, physical_properties (70)); SELECT 1 AS id",
    "m.sql:1:39: physical_properties expects key = value here.",
  ],
  [
    "a property's key that can't be one",
    "MODEL (name s.a, physical_properties ('a b' = 1)); SELECT 1 AS id",
    "m.sql:1:39: a b can't be a key of physical_properties.",
  ],
  [
    "native partitions",
    "MODEL (name s.a, kind FULL, physical_properties (partition_by = 'x')); SELECT 1 AS id",
    "m.sql:1:29: Native partitioning (partition_by) isn't supported yet. Take it out; partitioned_by alone is logical.",
  ],
  [
    "grants",
    "MODEL (name s.a, grants (select = ['r'])); SELECT 1 AS id",
    "m.sql:1:18: The model property grants isn't supported yet. Take it out and grant by hand; grants on the views are kept.",
  ],
  [
    "blueprints",
    "MODEL (name s.a, blueprints ((x := 1))); SELECT 1 AS id",
    "m.sql:1:18: The model property blueprints isn't supported yet. Write one file a model.",
  ],
  [
    "another dialect",
    "MODEL (name s.a, dialect snowflake); SELECT 1",
    "m.sql:1:26: The dialect snowflake isn't supported yet. Models are written in postgres.",
  ],
  [
    "audits",
    "MODEL (name s.a, audits (not_null(columns := (id)))); SELECT 1 AS id",
    "warning m.sql:1:18: Audits are recorded but not run yet.",
  ],
  [
    "inline audits",
    "MODEL (name s.a); SELECT 1 AS id;\nAUDIT (name x);\nSELECT * FROM @this_model WHERE @column < 0",
    "warning m.sql:2:1: Audits are recorded but not run yet.",
  ],
  [
    "an inline audit without query",
    "MODEL (name s.a); SELECT 1 AS id; AUDIT (name x)",
    "m.sql:1:35: This AUDIT (…) has no query. A SELECT of the wrong rows must follow it.",
  ],
  [
    "clustering",
    "MODEL (name s.a, kind FULL, clustered_by id); SELECT 1 AS id",
    "warning m.sql:1:29: clustered_by has no effect on Postgres.",
  ],
];

describe("what is said about a header", () => {
  it.each(cases)("%s", (_what, text, expected) => {
    expect(modelMessages(parser, text)).toBe(expected);
  });

  it.each(cases)("is the same with CRLF line ends: %s", (_what, text, expected) => {
    expect(modelMessages(parser, text.replaceAll("\n", "\r\n"))).toBe(expected);
  });
});
