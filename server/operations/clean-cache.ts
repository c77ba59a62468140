import type { Problem } from "../core/base/problem.ts";
import type { ProjectFiles } from "../ports/project-files.ts";
import type { ProjectSource } from "../ports/project-source.ts";
import type { ProjectPlace } from "./services.ts";

export interface CleanedCache {
  readonly project: string;
  readonly cacheFolder: string;
  readonly found: boolean;
  readonly files: number;
  readonly bytes: number;
  /** Why the configuration couldn't say where the cache is; the default folder was taken then. */
  readonly configFaults: readonly Problem[];
  /** Why it couldn't be removed. */
  readonly problem: Problem | null;
}

/** Works with a broken configuration, a missing folder, a missing project: cleaning up must never need what is broken. */
export async function cleanCache(
  services: { readonly files: ProjectFiles; readonly projects: Pick<ProjectSource, "readSettings"> },
  place: ProjectPlace,
): Promise<CleanedCache> {
  const { files, projects } = services;
  const settings = await projects.readSettings(place);
  const cacheFolder = settings.ok ? settings.value.cacheFolder : files.defaultCacheFolder(place.folder);
  const configFaults = settings.ok ? [] : settings.problems;
  const removed = await files.removeCache({ project: place.folder, cacheFolder });
  const nothing = { found: false, files: 0, bytes: 0 };
  return {
    project: place.folder,
    cacheFolder,
    ...(removed.ok ? removed.value : nothing),
    configFaults,
    problem: removed.ok ? null : (removed.problems[0] ?? null),
  };
}
