import type { Captures } from "../../../core/catalog/captured.ts";
import type { ObjectName } from "../../../core/catalog/catalog.ts";
import type { RunQuery } from "../query.ts";

/** Everything that has to be known of these objects in order to make them again; see core/catalog/captured.ts. */
export async function readCaptures(_run: RunQuery, _objects: readonly ObjectName[]): Promise<Captures> {
  return { objects: [], defaultGrantees: [], rights: [] };
}
