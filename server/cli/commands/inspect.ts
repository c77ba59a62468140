import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import { relationKey } from "../../core/base/relation-name.ts";
import { normaliseEnvironmentName } from "../../core/environment/environment-name.ts";
import { ownedText } from "../../core/review/object-text.ts";
import { type InspectedObject, inspectEnvironment } from "../../operations/inspect-environment.ts";
import { unwrap } from "../../operations/unwrap.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { openExisting, withServices } from "../local-services.ts";
import { UNMANAGED } from "../plan-marks.ts";
import { printTable } from "../print-table.ts";
import { projectPlace } from "../project-place.ts";

/** What stands behind every name of an environment, and who else hangs on it. Exit 0 whatever it shows. */
export async function runInspect(context: CommandContext, name: string): Promise<Outcome> {
  const { terminal } = context;
  const place = projectPlace(context.globals);
  const environment = unwrap(normaliseEnvironmentName(name));
  const services = await openExisting(context, place);
  if (services === null) throw new AppError(problem("environment_unknown", { environment }));
  return withServices(services, async () => {
    const inspected = await inspectEnvironment(services, place, environment);
    const { promotion, planId, promotedAt } = inspected.environment;
    const columns = [
      { title: "model", align: "left" },
      { title: "kind", align: "left" },
      { title: "physical object", align: "left" },
      { title: "rows", align: "right" },
      { title: "size", align: "right" },
      { title: "state", align: "left" },
    ] as const;
    terminal.print(
      [
        terminal.paint(
          "strong",
          `${environment}, promotion ${promotion} by plan ${planId ?? "?"} at ${promotedAt ?? "?"}`,
        ),
        printTable(columns, inspected.objects.map(objectRow), terminal.paint),
        ...hanging(inspected.objects),
      ].join("\n"),
    );
    return { exit: DONE, json: inspected };
  });
}

function objectRow({ promoted, kind, found, missing, estimatedRows, bytes }: InspectedObject): readonly string[] {
  return [
    promoted.model,
    kind.replaceAll("_", " "),
    promoted.relation === null ? "" : relationKey(promoted.relation),
    estimatedRows === null || estimatedRows < 0 ? "" : `~${estimatedRows}`,
    bytes === null ? "" : sizeText(bytes),
    found === "missing" ? `missing: ${missing.map(relationKey).join(", ")}` : found === "none" ? "" : "present",
  ];
}

function hanging(objects: readonly InspectedObject[]): readonly string[] {
  const lines = objects.flatMap(({ promoted, dependents }) =>
    dependents
      .filter((each) => each.treatment !== "part")
      .map((each) => `  ${UNMANAGED} ${ownedText({ ...each, columns: [] })} hangs on ${promoted.model}`),
  );
  return lines.length === 0 ? [] : ["", "Outside the project", ...lines];
}

function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
