// `load-project FOLDER`: reads a project and makes its fingerprints, in a process that has never done it before.

import { makeSnapshots } from "../../server/core/snapshot/fingerprint.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import { createProjectSource } from "../../server/project/load-project.ts";

const [folder = "."] = process.argv.slice(2);
const startedAt = performance.now();
const parser = await loadSqlParser();
const projects = createProjectSource({ parser, environment: process.env });
const loaded = await projects.load({ folder, gateway: null, dotenv: null });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const loadedAt = performance.now();
makeSnapshots(loaded.value.project, parser);
const times = { load: loadedAt - startedAt, fingerprint: performance.now() - loadedAt };
process.stdout.write(JSON.stringify(times));
