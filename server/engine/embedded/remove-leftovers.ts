import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "./platform-package.ts";

/** In the name of whatever is made beside its place and moved there when it is whole. */
export const unfinished = ".new-";

/**
 * Clears what killed openers left half made, and copies of other versions' programs. Only under the home's lock and while
 * no server runs: nobody is making or using any of it then.
 */
export function removeLeftovers(root: string): void {
  const programs = `binaries-${packageVersion}`;
  for (const name of readdirSync(root)) {
    if (!name.includes(unfinished) && !(name.startsWith("binaries-") && name !== programs)) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // An orphaned initdb may still be writing there; the next start clears it.
    }
  }
}
