import type { Result } from "../core/base/result.ts";

/** The two things that are ever written into or removed from a project's folder. */
export interface ProjectFiles {
  /** Writes a small working project; refuses, before the first file, where one of them is there already. */
  readonly createProject: (folder: string) => Promise<Result<CreatedProject>>;
  /** Removes what is in a cache folder. `project` is the project's own folder, which must not be in it. */
  readonly removeCache: (request: CacheRemoval) => Promise<Result<RemovedCache>>;
}

export interface CreatedProject {
  /** Absolute. */
  readonly folder: string;
  /** Relative to it, in the order of writing. */
  readonly files: readonly string[];
  readonly models: number;
}

export interface CacheRemoval {
  readonly project: string;
  readonly cacheFolder: string;
}

export interface RemovedCache {
  /** False: there was no such folder. */
  readonly found: boolean;
  readonly files: number;
  readonly bytes: number;
}
