/** What `weir init` writes, by path: a seed and a model on it, which plan and apply as they stand. */
export const newProjectFiles: readonly { readonly path: string; readonly text: string }[] = [
  {
    path: "config.yaml",
    text: `# The warehouse. Each env_var is read from the environment, or from a file .env beside this one.
# The role needs CREATE on the database: schemas are made for the models, and one named weir_internal.
gateways:
  warehouse:
    connection:
      type: postgres
      host: {{ env_var('PGHOST', '127.0.0.1') }}
      port: {{ env_var('PGPORT', '5432') }}
      user: {{ env_var('PGUSER', 'postgres') }}
      password: {{ env_var('PGPASSWORD', '') }}
      database: {{ env_var('PGDATABASE', 'postgres') }}

default_gateway: warehouse

# Keeps this project's environments apart from those of other projects in the same state database.
project: PROJECT_NAME

model_defaults:
  dialect: postgres
  start: 2024-01-01
`,
  },
  {
    path: "seeds/measurements.csv",
    text: `station,measured_on,level_cm
mill,2024-05-01,112
mill,2024-05-02,118
mill,2024-05-03,131
bridge,2024-05-01,96
bridge,2024-05-02,97
bridge,2024-05-03,
`,
  },
  {
    path: "models/measurements.sql",
    text: `MODEL (
  name river.measurements,
  kind SEED (
    path '../seeds/measurements.csv'
  ),
  description 'Water levels as the stations sent them; no level where a station was silent',
  columns (
    station TEXT,
    measured_on DATE,
    level_cm INT
  )
);
`,
  },
  {
    path: "models/daily_levels.sql",
    text: `MODEL (
  name river.daily_levels,
  kind FULL,
  description 'Mean and highest level a day over all stations'
);

SELECT
  measured_on,
  COUNT(level_cm) AS stations,
  ROUND(AVG(level_cm), 1) AS mean_level_cm,
  MAX(level_cm) AS highest_level_cm
FROM river.measurements
GROUP BY measured_on
`,
  },
  { path: ".gitignore", text: ".cache/\n.env\n" },
];
