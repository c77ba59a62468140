import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError } from "../core/base/app-error.ts";
import { problem } from "../core/base/problem.ts";
import type { ProjectPlace } from "../operations/services.ts";
import type { GlobalOptions } from "./command.ts";

/** Every folder asked for, else where we are. Absolute, each once. */
export function projectFolders(globals: GlobalOptions): readonly string[] {
  const folders = globals.paths.length === 0 ? ["."] : globals.paths;
  return [...new Set(folders.map((folder) => resolve(folder)))];
}

/** @throws AppError `usage_invalid` when more than one folder was given: a plan is of one project. */
export function projectPlace(globals: GlobalOptions): ProjectPlace {
  const [folder, ...more] = projectFolders(globals);
  if (folder === undefined || more.length > 0) {
    const reason = "This command works on one project. Give one --path; several are for `weir clean`.";
    throw new AppError(problem("usage_invalid", { reason }));
  }
  return { folder, gateway: globals.gateway, dotenv: globals.dotenv === null ? null : resolve(globals.dotenv) };
}

/** For commands that need only state: the place if there is a project in it, so that its configuration says where state is. */
export function projectPlaceIfAny(globals: GlobalOptions): ProjectPlace | null {
  const place = projectPlace(globals);
  const found = ["config.yaml", "config.yml", "sqlmesh.yaml", "sqlmesh.yml"].some((name) =>
    existsSync(join(place.folder, name)),
  );
  return globals.paths.length > 0 || found ? place : null;
}
