import type { CreatedProject, ProjectFiles } from "../ports/project-files.ts";
import { unwrap } from "./unwrap.ts";

/** @throws AppError `files_in_the_way`, `file_unwritable`; nothing was written then, or it is said what couldn't be. */
export async function initProject(services: { readonly files: ProjectFiles }, folder: string): Promise<CreatedProject> {
  return unwrap(await services.files.createProject(folder));
}
