import { relative, resolve } from "node:path";
import { initProject } from "../../operations/init-project.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE } from "../exit-code.ts";
import { projectFolders } from "../project-place.ts";

/** Writes a small working project; says what to do next. */
export async function runInit(context: CommandContext, folder: string | null): Promise<Outcome> {
  const { openFiles } = await import("../../compose.ts");
  const target = folder === null ? projectFolders(context.globals)[0] : resolve(folder);
  const created = await initProject(await openFiles(process.env), target ?? resolve("."));
  const { terminal } = context;
  const shown = relative(process.cwd(), created.folder);
  terminal.print(
    [
      `A project with ${created.models} models in ${shown === "" ? "this folder" : shown}:`,
      ...created.files.map((file) => `  ${file}`),
      "",
      "Next:",
      ...(shown === "" ? [] : [`  cd ${shown}`]),
      "  export PGHOST=… PGUSER=… PGPASSWORD=… PGDATABASE=…   # or write them into .env",
      "  weir plan",
    ].join("\n"),
  );
  return { exit: DONE, json: created };
}
