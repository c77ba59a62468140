import { renderModel } from "../../operations/render-model.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { openOrCreate, withServices } from "../local-services.ts";
import { projectPlace } from "../project-place.ts";

export interface RenderInput {
  readonly model: string;
  readonly environment: string | null;
}

/** A model's query as the warehouse would get it: every name that it reads replaced by the physical one. */
export async function runRender(context: CommandContext, input: RenderInput): Promise<Outcome> {
  const place = projectPlace(context.globals);
  context.stop.describe("rendering");
  const services = await openOrCreate(context, place);
  if (services === null) return { exit: DONE, json: null };
  return withServices(services, async () => {
    const rendered = await renderModel(services, { place, ...input });
    context.terminal.print(rendered.sql);
    return { exit: DONE, json: rendered };
  });
}
