// `read-shapes FOLDER URL`: the output columns of every query of a project, from the server at URL.

import { connectionFromUrl } from "../../server/engine/postgres/connection-from-url.ts";
import { createShapeReader } from "../../server/engine/postgres/shape-reader.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import type { ShapeQuery } from "../../server/ports/shape-reader.ts";
import { createProjectSource } from "../../server/project/load-project.ts";
import { timed } from "../measure/timed.ts";

const [folder = ".", url = ""] = process.argv.slice(2);
const parser = await loadSqlParser();
const loaded = await createProjectSource({ parser, environment: process.env }).load({
  folder,
  gateway: null,
  dotenv: null,
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
// Generated names sort parents before children.
const queries = loaded.value.project.models.map(
  (model): ShapeQuery => ({
    model: model.key,
    relation: { schema: model.name.schema ?? "public", name: model.name.name },
    query: model.query?.expanded ?? null,
    columns: model.columns,
    parents: model.references.flatMap((reference) => (reference.model === null ? [] : [reference.model])),
  }),
);
const reader = createShapeReader({ connect: async () => connectionFromUrl(url) });
const { ms, cpuMs, value: shapes } = await timed(() => reader.readShapes({ stubs: [], queries }));
const missing = [...shapes].filter(([, shape]) => !shape.ok || shape.columns.length === 0);
if (missing.length > 0 || shapes.size !== queries.length) throw new Error(`no shape of ${missing.length} models`);
process.stdout.write(JSON.stringify({ ms, cpuMs }));
