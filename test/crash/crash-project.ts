import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export type ProjectFiles = { readonly [path: string]: string };

/** The place is told by the environment, so that one folder serves every database. */
const config = `gateways:
  pg:
    connection:
      type: postgres
      host: "{{ env_var('CRASH_HOST') }}"
      port: {{ env_var('CRASH_PORT') }}
      user: "{{ env_var('CRASH_USER') }}"
      password: "{{ env_var('CRASH_PASSWORD') }}"
      database: "{{ env_var('CRASH_DATABASE') }}"
model_defaults:
  dialect: postgres
`;

/** What is there before: other people's tables, and one in which statements of authors leave their mark. */
export const outside = [
  "CREATE SCHEMA src",
  "CREATE TABLE src.orders (id integer, country text, amount numeric(12, 2))",
  "INSERT INTO src.orders VALUES (1, 'de', 10), (2, 'de', 20), (3, 'fr', 30), (4, NULL, 40)",
  "CREATE SCHEMA side",
  "CREATE TABLE side.log (label text)",
];

const seed = (rows: string): ProjectFiles => ({
  "models/countries.sql":
    "MODEL (name shop.countries, kind SEED (path '../seeds/countries.csv'), columns (code text, title text));\n",
  "seeds/countries.csv": `code,title\n${rows}`,
});

const mark = (label: string): string => `INSERT INTO side.log VALUES ('${label}')`;

/** As it stands when the plan is made. */
export const before: ProjectFiles = {
  "config.yaml": config,
  ...seed("de,Germany\nfr,France\n"),
  "models/raw_orders.sql": `MODEL (name shop.raw_orders, kind FULL);
${mark("raw_orders pre")};
SELECT id, country, amount FROM src.orders;
${mark("raw_orders post")};
`,
  "models/orders.sql":
    "MODEL (name shop.orders, kind VIEW, description 'Orders.');\nSELECT id, amount FROM shop.raw_orders\n",
  "models/by_country.sql": `MODEL (
  name shop.by_country,
  kind VIEW (materialized true),
  physical_properties (indexes = ('UNIQUE (title)'))
);
SELECT c.title, sum(o.amount) AS amount
FROM shop.raw_orders AS o JOIN shop.countries AS c ON c.code = o.country
GROUP BY c.title
`,
  "models/ledger.sql": `MODEL (name shop.ledger, kind INCREMENTAL_BY_PARTITION, partitioned_by country);
SELECT id, country, amount FROM src.orders
`,
  "models/ledger_sums.sql": `MODEL (
  name shop.ledger_sums,
  kind VIEW (materialized true),
  physical_properties (indexes = ('UNIQUE (country)'))
);
SELECT country, sum(amount) AS amount FROM shop.ledger GROUP BY country;
${mark("ledger_sums post")};
`,
  "models/stats.sql": `MODEL (
  name shop.stats,
  kind FULL,
  physical_properties (indexes = ('(id)'))
);
SELECT id, amount FROM src.orders
`,
  "models/gone.sql": "MODEL (name shop.gone, kind VIEW);\nSELECT 1 AS one\n",
};

/** What the plan is about: every kind of action that this slice of the product has, but for the first apply's own. */
export const after: ProjectFiles = {
  ...withoutFiles(before, ["models/gone.sql"]),
  ...seed("de,Deutschland\nfr,France\n"),
  "models/raw_orders.sql": `MODEL (name shop.raw_orders, kind FULL);
${mark("raw_orders pre")};
SELECT id, country, amount, amount * 2 AS twice FROM src.orders;
${mark("raw_orders post")};
CREATE INDEX raw_orders_country ON @this_model (country);
`,
  "models/orders.sql":
    "MODEL (name shop.orders, kind VIEW, description 'Orders.');\nSELECT id::bigint AS id, amount FROM shop.raw_orders\n",
  "models/ledger.sql": `MODEL (name shop.ledger, kind INCREMENTAL_BY_PARTITION, partitioned_by country, description 'All of it.');
SELECT id, country, amount, id % 2 = 0 AS even FROM src.orders
`,
  "models/stats.sql": `MODEL (
  name shop.stats,
  kind FULL,
  description 'Numbers.',
  physical_properties (indexes = ('(amount)'), fillfactor = 80)
);
SELECT id, amount FROM src.orders
`,
  "models/fresh.sql": `MODEL (name extra.fresh, kind VIEW);
${mark("fresh pre")};
SELECT country, amount FROM shop.ledger;
${mark("fresh post")};
`,
};

function withoutFiles(files: ProjectFiles, paths: readonly string[]): ProjectFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)));
}

/** The part of both that is switched without rows being moved much: names replaced, made again, dropped; a column added. */
const switched = ["config.yaml", ...["raw_orders", "orders", "ledger", "gone"].map((name) => `models/${name}.sql`)];
export const smallBefore: ProjectFiles = pickFiles(before, switched);
export const smallAfter: ProjectFiles = pickFiles(after, switched);

function pickFiles(files: ProjectFiles, paths: readonly string[]): ProjectFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => paths.includes(path)));
}

/** On an empty warehouse: our own schema is set up and everything is made for the first time. */
export const first: ProjectFiles = {
  "config.yaml": config,
  "models/orders.sql": `MODEL (name shop.orders, kind VIEW);
SELECT id, amount FROM src.orders;
${mark("orders post")};
`,
};

export async function writeFiles(folder: string, files: ProjectFiles): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
