import type { Problem } from "../../core/base/problem.ts";
import { type CleanedCache, cleanCache } from "../../operations/clean-cache.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE, exitOfFailure } from "../exit-code.ts";
import { printProblems } from "../print-problems.ts";
import { projectFolders } from "../project-place.ts";

/** Removes the cache folder of each project and nothing else. One project's trouble doesn't keep the others from it. */
export async function runClean(context: CommandContext): Promise<Outcome> {
  const { openFiles } = await import("../../compose.ts");
  const { terminal, globals } = context;
  const services = await openFiles(process.env);
  const cleaned: CleanedCache[] = [];
  const problems: Problem[] = [];
  for (const folder of projectFolders(globals)) {
    const each = await cleanCache(services, { folder, gateway: globals.gateway, dotenv: globals.dotenv });
    cleaned.push(each);
    if (each.problem === null) terminal.print(cleanedText(each));
    else problems.push(each.problem);
  }
  if (problems.length > 0) terminal.note(printProblems(problems, terminal.notePaint, terminal.width));
  return { exit: problems.length === 0 ? DONE : exitOfFailure(problems, null), json: cleaned };
}

function cleanedText({ cacheFolder, found, files, bytes }: CleanedCache): string {
  if (!found) return `Nothing to remove: there is no ${cacheFolder}.`;
  return `Removed ${files === 1 ? "1 file" : `${files} files`} (${bytes} bytes) from ${cacheFolder}.`;
}
