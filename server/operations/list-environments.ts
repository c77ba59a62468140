import type { Environment } from "../core/environment/environment.ts";
import type { Services } from "./services.ts";

/** Every environment of a project, or of all projects, sorted by project and name. */
export async function listEnvironments(
  services: Pick<Services, "state">,
  project: string | null,
): Promise<readonly Environment[]> {
  return services.state.listEnvironments(project);
}
