import type { NextConfig } from "next";
import manifest from "./package.json" with { type: "json" };

// libpg-query finds its WASM beside its own file, pg loads its optional native binding, and the embedded
// server's binaries are looked up on disk: none of them survives being bundled.
const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  serverExternalPackages: ["libpg-query", "pg", ...Object.keys(manifest.optionalDependencies)],
  outputFileTracingIncludes: { "/*": ["node_modules/libpg-query/wasm/*"] },
};

export default config;
