import { resolve } from "node:path";
import type { ProjectRequest } from "../ports/project-source.ts";
import type { EnvironmentVariables } from "./environment-overrides.ts";
import { listNames, readText } from "./files.ts";
import { CONFIG_NAMES, loadConfig } from "./load-config.ts";
import { cacheFolder } from "./read-config.ts";

/**
 * Where a project's cache is, also when its configuration can't be read: then a plain `cache_dir:` line counts,
 * else the default. Loading reads nothing from this folder, so nothing in it can stop a load.
 */
export async function findCacheFolder(request: ProjectRequest, environment: EnvironmentVariables): Promise<string> {
  const loaded = await loadConfig(request, environment);
  if (loaded.ok) return loaded.value.config.settings.cacheFolder;
  const folder = resolve(request.folder);
  return cacheFolder(folder, await findCacheLine(folder), environment);
}

async function findCacheLine(folder: string): Promise<string | null> {
  const names = await listNames(folder);
  for (const name of CONFIG_NAMES.filter((each) => names.includes(each))) {
    const reading = await readText(folder, name);
    const line = reading.ok ? /^cache_dir:[ \t]*(["']?)([^"'#\r\n{}]+)\1[ \t]*(#.*)?$/m.exec(reading.file.text) : null;
    if (line?.[2] !== undefined) return line[2].trim();
  }
  return null;
}
