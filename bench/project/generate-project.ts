import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelText } from "./model-text.ts";
import { chooseParents } from "./parents.ts";

export interface GeneratedProject {
  readonly folder: string;
  readonly models: number;
  /** Names as `schema.name`, in the order they were made: everything below a model stands after it. */
  readonly names: readonly string[];
}

export interface ProjectWishes {
  readonly models: number;
  /** `views`: nothing but VIEW, for speed. `kinds`: FULL and materialized ones among them, for rows. */
  readonly mix: "views" | "kinds";
}

/** One project for both tools, in SQLMesh's format; the same bytes for the same wishes. Whatever was there is removed. */
export function generateProject(folder: string, wishes: ProjectWishes): GeneratedProject {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "models"), { recursive: true });
  writeFileSync(join(folder, "config.yaml"), CONFIG);
  const parents = chooseParents(wishes.models);
  const names = parents.map((_, index) => modelName(index));
  for (const index of names.keys()) writeModel({ folder, models: wishes.models, names }, index, wishes.mix, 0);
  return { folder, models: wishes.models, names };
}

/** Writes a model again, with another constant in its query: an edit that no tool can take for a comment. */
export function editModel(project: GeneratedProject, index: number, edit: number, mix: ProjectWishes["mix"] = "views") {
  writeModel(project, index, mix, edit);
}

function writeModel(project: GeneratedProject, index: number, mix: ProjectWishes["mix"], edit: number): void {
  const parents = (chooseParents(project.models)[index] ?? []).map(modelName);
  const text = modelText({ index, name: modelName(index), parents, mix, edit });
  writeFileSync(join(project.folder, "models", `${modelName(index).replace(".", "__")}.sql`), text);
}

/** Ten models a schema, so that a project of 1,000 has 100 of them. */
function modelName(index: number): string {
  return `area_${String(Math.floor(index / 10)).padStart(3, "0")}.model_${String(index).padStart(4, "0")}`;
}

const CONFIG = `project: bench

gateways:
  pg:
    connection:
      type: postgres
      host: {{ env_var('PGHOST') }}
      port: {{ env_var('PGPORT') }}
      user: {{ env_var('PGUSER') }}
      password: {{ env_var('PGPASSWORD') }}
      database: {{ env_var('PGDATABASE') }}

default_gateway: pg

model_defaults:
  dialect: postgres
  start: 2024-01-01
`;
