import type { SqlParser } from "../core/sql/sql-parser.ts";
import type { Clock, Ids, Log, Waiter } from "../ports/ambient.ts";
import type { GatewaySettings, ProjectSource } from "../ports/project-source.ts";
import type { ShapeReader } from "../ports/shape-reader.ts";
import type { StateStore } from "../ports/state-store.ts";
import type { CatalogReader, Warehouse } from "../ports/warehouse.ts";

/** Everything an operation may touch. Made by `compose.ts`; tests hand in their own. */
export interface Services {
  readonly projects: ProjectSource;
  readonly state: StateStore;
  readonly parser: SqlParser;
  readonly shapes: (gateway: GatewaySettings) => Promise<ShapeReader>;
  /** For planning and looking: read-only transactions, nothing else. The caller closes it. */
  readonly catalog: (gateway: GatewaySettings) => Promise<OpenCatalog>;
  /** For applying. The caller closes it. */
  readonly warehouse: (gateway: GatewaySettings) => Promise<Warehouse>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly waiter: Waiter;
  readonly log: Log;
  /** `weir 0.1.0`, recorded in plans. */
  readonly tool: string;
}

export interface OpenCatalog extends CatalogReader, Pick<Warehouse, "readEnvironmentMarker" | "readMarkers"> {
  readonly close: () => Promise<void>;
}

/** Which project an operation is about: a folder on this machine and a gateway of its configuration. */
export interface ProjectPlace {
  readonly folder: string;
  readonly gateway: string | null;
  readonly dotenv: string | null;
}
