import type { openServices, StateLocation } from "../compose.ts";
import type { ProjectPlace } from "../operations/services.ts";
import type { CommandContext } from "./command.ts";

export type OpenServices = Awaited<ReturnType<typeof openServices>>;

/** Opens state where it is already kept. Null where there is none yet: a command that only looks creates nothing. */
export async function openExisting(context: CommandContext, place: ProjectPlace | null): Promise<OpenServices | null> {
  const { location, open } = await locate(context, place);
  if (await location.exists()) return open();
  context.terminal.note(`Nothing has been planned yet: there is no state in ${location.description}.`);
  return null;
}

/**
 * Opens state, setting it up where it is missing. The first time that would put a schema into the warehouse itself,
 * it asks; where nobody sits it says so. Null when the answer was no.
 */
export async function openOrCreate(context: CommandContext, place: ProjectPlace): Promise<OpenServices | null> {
  const { terminal } = context;
  const { location, open } = await locate(context, place);
  if (await location.exists()) return open();
  terminal.note(`${keepsText(location.kind)} ${location.description}.`);
  if (location.kind === "warehouse" && terminal.interactive) {
    const agreed = await terminal.ask("Keep Weir's state there?", true);
    if (!agreed) {
      terminal.note(
        "Nothing was done. Say where with --state URL, WEIR_STATE_URL or state_connection, then try again.",
      );
      return null;
    }
  }
  return open();
}

function keepsText(kind: StateLocation["kind"]): string {
  return kind === "warehouse"
    ? "Weir keeps plans, approvals and versions in a schema of its own in the warehouse:"
    : "Weir keeps plans, approvals and versions in";
}

async function locate(
  context: CommandContext,
  place: ProjectPlace | null,
): Promise<{ readonly location: StateLocation; readonly open: () => Promise<OpenServices> }> {
  // Loaded here, so that `weir --help` never pays for database drivers and the parser.
  const compose = await import("../compose.ts");
  const options = { place, stateUrl: context.globals.state, environment: process.env };
  const location = await compose.locateState(options);
  return { location, open: () => compose.openServices(options, location) };
}

/** Runs `use` and closes whatever the end; a fault of closing never hides the fault of using. */
export async function withServices<T>(services: OpenServices, use: (services: OpenServices) => Promise<T>): Promise<T> {
  try {
    return await use(services);
  } finally {
    await services.close().catch(() => undefined);
  }
}
