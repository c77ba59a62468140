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
  /** Why it couldn't be removed. */
  readonly problem: Problem | null;
}

/** Works with a broken configuration, a missing folder, a missing project: cleaning up must never need what is broken. */
export async function cleanCache(
  services: { readonly files: ProjectFiles; readonly projects: Pick<ProjectSource, "findCacheFolder"> },
  place: ProjectPlace,
): Promise<CleanedCache> {
  const cacheFolder = await services.projects.findCacheFolder(place);
  const removed = await services.files.removeCache({ project: place.folder, cacheFolder });
  const about = { project: place.folder, cacheFolder };
  if (removed.ok) return { ...about, ...removed.value, problem: null };
  return { ...about, found: true, files: 0, bytes: 0, problem: removed.problems[0] ?? null };
}
