/**
 * A process that opens the embedded server, for tests that need another process than their own. Prints one line of JSON
 * when it has it (or can't), keeps it until its input ends, releases and ends.
 *
 *     npx tsx test/embedded/embedded-opener.ts '{"home": "…"}'
 */
import process from "node:process";
import { EmbeddedError } from "../../server/engine/embedded/embedded-error.ts";
import { type EmbeddedOptions, openEmbedded } from "../../server/engine/embedded/open-embedded.ts";

const began = performance.now();
try {
  const server = await openEmbedded(JSON.parse(process.argv[2] ?? "") as EmbeddedOptions);
  const milliseconds = Math.round(performance.now() - began);
  process.stdout.write(`${JSON.stringify({ url: server.url("weir"), port: server.port, milliseconds })}\n`);
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once("end", resolve));
  await server.release();
} catch (error) {
  if (!(error instanceof EmbeddedError)) throw error;
  process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`);
}
