import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { projectPlace } from "../project-place.ts";
import { DEFAULT_HOST, DEFAULT_PORT } from "../review-link.ts";

export interface ServeInput {
  readonly host: string | null;
  readonly port: string | null;
  readonly dev: boolean;
}

/** Serves the pages and carries out what is started there, until it is told to stop. */
export async function runServe(context: CommandContext, input: ServeInput): Promise<Outcome> {
  const { terminal, globals, stop } = context;
  const place = projectPlace(globals);
  const { WEIR_HOST, WEIR_PORT, WEIR_BASE_URL } = process.env;
  const { serve } = await import("../../serve.ts");
  const { signal, release } = stop.guard("Stopping: a run under way stops at its next safe point and can be resumed.");
  try {
    const served = await serve({
      place,
      stateUrl: globals.state,
      host: input.host ?? (WEIR_HOST || DEFAULT_HOST),
      port: portOf(input.port ?? (WEIR_PORT || String(DEFAULT_PORT))),
      baseUrl: WEIR_BASE_URL || null,
      dev: input.dev,
    });
    terminal.print(`Weir is ready: ${served.link}`);
    terminal.note("The link holds this start's key. Ctrl-C stops the server.");
    terminal.event({ event: "ready", url: served.url, link: served.link });
    await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.onAbort(resolve)));
    await served.close();
    return { exit: DONE, json: { url: served.url } };
  } finally {
    release();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new AppError(problem("usage_invalid", { reason: `"${text}" is no port. Give a number from 1 to 65535.` }));
}
