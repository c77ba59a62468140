import type { Result } from "../core/base/result.ts";
import type { NamingRules, Project } from "../core/model/project.ts";

/** Reads a project from disk. Reports every fault of the project at once. */
export interface ProjectSource {
  readonly load: (request: ProjectRequest) => Promise<Result<LoadedProject>>;
  /** Configuration only: works while models are broken, since applying, looking and cleaning up need no model. */
  readonly readSettings: (request: ProjectRequest) => Promise<Result<ProjectSettings>>;
  /** Where the project's cache is; also with a broken configuration. Loading never depends on what is in it. */
  readonly findCacheFolder: (request: ProjectRequest) => Promise<string>;
}

export interface ProjectRequest {
  readonly folder: string;
  readonly gateway: string | null;
  readonly dotenv: string | null;
}

export interface ProjectSettings {
  /** `project:` of the configuration, empty where it isn't set. */
  readonly name: string;
  readonly gateway: GatewaySettings;
  readonly naming: NamingRules;
  readonly defaultEnvironment: string;
  /** Absolute; what `clean` removes and nothing else. */
  readonly cacheFolder: string;
  readonly warnings: readonly string[];
}

export interface LoadedProject {
  readonly project: Project;
  readonly settings: ProjectSettings;
  /** Parsed seeds by content hash, so that the shell can store them as artefacts. Cells are null for NULL. */
  readonly seeds: ReadonlyMap<string, SeedRows>;
}

export interface SeedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A gateway of the configuration, checked. Holds secrets: never logged, stored or shown. */
export interface GatewaySettings {
  readonly name: string;
  readonly connection: ConnectionSettings;
  /** Null where the configuration names none. */
  readonly stateConnection: ConnectionSettings | null;
  readonly stateSchema: string | null;
  /** Where shapes are found out: the embedded server, the warehouse itself, or a scratch database by URL. */
  readonly shadow:
    | { readonly kind: "embedded" }
    | { readonly kind: "warehouse" }
    | { readonly kind: "scratch"; readonly url: string };
}

export interface ConnectionSettings {
  readonly type: "postgres";
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly role: string | null;
  readonly sslmode: string | null;
  readonly connectTimeoutSeconds: number;
  readonly applicationName: string | null;
}
