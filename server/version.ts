import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Of this package. The bundler writes it in (scripts/bundle.mjs); from sources it is read from package.json above them. */
export function version(): string {
  const written = process.env.WEIR_VERSION;
  if (written !== undefined) return written;
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
    if (folder === dirname(folder)) throw new Error("package.json is missing above the program's own folder");
  }
}
