import type { DefaultGrantees } from "../../../catalog/captured.ts";
import type { Timeouts } from "../statement.ts";

/** What restoring depends on beside the object itself: who does it, and what the server adds by itself for them. */
export interface RestoreContext {
  /** Name of the applying role, which statements return to after they spoke as a grantor. */
  readonly role: string;
  /** As in `Captures`: whom default privileges of that role would give something. */
  readonly defaultGrantees: readonly DefaultGrantees[];
  readonly timeouts: Timeouts;
}

export function granteesByDefault(
  context: RestoreContext,
  schema: string,
  on: "relations" | "functions" | "types",
): readonly string[] {
  return context.defaultGrantees.find((each) => each.schema === schema)?.[on] ?? [];
}
