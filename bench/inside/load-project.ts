// `load-project FOLDER`: reads a project and makes its fingerprints, in a process that has never done it before.

import { makeSnapshots } from "../../server/core/snapshot/fingerprint.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import { createProjectSource } from "../../server/project/load-project.ts";
import { timed } from "../measure/timed.ts";

const [folder = "."] = process.argv.slice(2);
const { ms, cpuMs } = await timed(async () => {
  const parser = await loadSqlParser();
  const loaded = await createProjectSource({ parser, environment: process.env }).load({
    folder,
    gateway: null,
    dotenv: null,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  makeSnapshots(loaded.value.project, parser);
});
process.stdout.write(JSON.stringify({ ms, cpuMs }));
