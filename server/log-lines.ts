import type { Log } from "./ports/ambient.ts";

/** One JSON line an event on stderr; stdout belongs to results. */
export function logLines(part: string): Log {
  const write =
    (level: "info" | "warn") =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, part, event, ...fields })}\n`);
    };
  return { info: write("info"), warn: write("warn") };
}
