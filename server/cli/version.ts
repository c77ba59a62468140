/** Written in by the bundler (scripts/bundle.mjs); from sources there is none. */
export function version(): string {
  return process.env.WEIR_VERSION ?? "0.0.0-source";
}
