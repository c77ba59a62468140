import { listEnvironments } from "../../operations/list-environments.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { openExisting, withServices } from "../local-services.ts";
import { printTable } from "../print-table.ts";
import { projectPlaceIfAny } from "../project-place.ts";

/** Every environment of every project in this state database. */
export async function runEnvironments(context: CommandContext): Promise<Outcome> {
  const { terminal } = context;
  const services = await openExisting(context, projectPlaceIfAny(context.globals));
  if (services === null) return { exit: DONE, json: [] };
  return withServices(services, async () => {
    const environments = await listEnvironments(services, null);
    if (environments.length === 0) {
      terminal.note("There is no environment yet. The first plan that is applied makes one: weir plan");
      return { exit: DONE, json: [] };
    }
    const rows = environments.map(({ project, name, promotion, planId, promotedAt, models }) => [
      project === "" ? "(no name)" : project,
      name,
      String(models.length),
      String(promotion),
      planId ?? "",
      promotedAt ?? "never",
    ]);
    terminal.print(
      printTable(
        [
          { title: "project", align: "left" },
          { title: "environment", align: "left" },
          { title: "models", align: "right" },
          { title: "promotions", align: "right" },
          { title: "plan", align: "left" },
          { title: "promoted at", align: "left" },
        ],
        rows,
        terminal.paint,
      ),
    );
    return {
      exit: DONE,
      json: environments.map(({ models, ...rest }) => ({ ...rest, models: models.map((each) => each.model) })),
    };
  });
}
