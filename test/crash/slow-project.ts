import { type ProjectFiles, before as shop } from "./crash-project.ts";

export interface SlowProject {
  readonly outside: readonly string[];
  readonly before: ProjectFiles;
  readonly after: ProjectFiles;
  /** Another change, of the same model. */
  readonly other: ProjectFiles;
}

const model = (columns: string): ProjectFiles => ({
  "config.yaml": shop["config.yaml"] ?? "",
  "models/slow.sql": `MODEL (name shop.slow, kind FULL);
SELECT o.id${columns}
FROM src.orders AS o, pg_sleep((SELECT max(seconds) FROM src.pause)) AS pause
WHERE o.id < 3;
INSERT INTO side.log VALUES ('slow post');
`,
});

/** A table whose fill takes as long as src.pause says, and waits for whoever has locked src.orders. */
export const slowProject: SlowProject = {
  outside: ["CREATE TABLE src.pause (seconds double precision)", "INSERT INTO src.pause VALUES (0)"],
  before: model(""),
  after: model(", o.id * 2 AS doubled"),
  other: model(", o.id * 3 AS tripled"),
};
