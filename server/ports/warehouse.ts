import type { RelationName } from "../core/base/relation-name.ts";
import type { Captured, Captures } from "../core/catalog/captured.ts";
import type { Catalog, ObjectName } from "../core/catalog/catalog.ts";
import type { Guard, Statement } from "../core/plan/action.ts";
import type { SeedRows } from "./project-source.ts";

/** A warehouse as planning sees it: read-only transactions, SELECT and SHOW, nothing else. */
export interface CatalogReader {
  readonly readCatalog: (request: CatalogRequest) => Promise<Catalog>;
  /** Objects that are gone, or can't be captured, are left out of the answer. */
  readonly readCaptures: (objects: readonly ObjectName[]) => Promise<Captures>;
}

export interface CatalogRequest {
  readonly project: string;
  readonly environment: string;
  readonly schemas: readonly string[];
  readonly relations: readonly RelationName[];
  /** Roots whose closure is wanted. */
  readonly closures: readonly RelationName[];
}

/**
 * A warehouse as applying sees it. Every writing transaction first takes its fence FOR SHARE and then writes its
 * marker, so that a process that was taken over can't write, and nothing is done twice.
 * Throws WarehouseError (core/catalog/warehouse-error.ts); a lost connection during COMMIT is reported as such, and the marker tells what is true.
 */
export interface Warehouse extends CatalogReader {
  /** Sets up `weir_internal` where it is missing; safe to race. */
  readonly setUpInternal: (statements: readonly Statement[]) => Promise<void>;
  /** Ends the writes of whoever held the scopes before, in order of scope: `UPDATE fence SET epoch = epoch + 1`, waits for its transactions. */
  readonly takeFences: (scopes: readonly string[]) => Promise<readonly Fence[]>;
  readonly readMarkers: (run: string) => Promise<readonly MarkerKey[]>;
  readonly readEnvironmentMarker: (project: string, environment: string) => Promise<EnvironmentMarker | null>;
  readonly runTransaction: (transaction: WriteTransaction) => Promise<TransactionReport>;
  /** For statements that refuse to run inside a transaction. */
  readonly runAlone: (statement: Statement, tag: StatementTag) => Promise<void>;
  /** Asks the server to cancel what this process is running now. */
  readonly cancel: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Fence {
  readonly scope: string;
  readonly epoch: number;
}

export interface MarkerKey {
  readonly run: string;
  readonly action: string;
  readonly batch: number;
}

export interface EnvironmentMarker {
  readonly project: string;
  readonly environment: string;
  readonly promotion: number;
  readonly digest: string;
}

export interface StatementTag {
  readonly plan: string;
  readonly stage: string;
}

export interface WriteTransaction {
  readonly tag: StatementTag;
  /** All are taken FOR SHARE, in order of scope; one that moved on ends the transaction as `fence_lost`. */
  readonly fences: readonly Fence[];
  readonly marker: MarkerKey;
  /** In order. Within each step: its guards under its locks, then its statements, then its seed rows. */
  readonly steps: readonly TransactionStep[];
  /** What `captured` guards compare with. */
  readonly captured: readonly Captured[];
  /** Written last: the promotion's record in the warehouse. */
  readonly environmentMarker: EnvironmentMarker | null;
}

export interface TransactionStep {
  /** `empty` for texts that the server printed: every name in them is qualified, and nobody's function may creep in. */
  readonly searchPath: "authors" | "empty";
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
  readonly seed: { readonly relation: RelationName; readonly rows: SeedRows } | null;
}

/** `found`: the marker was there already, so an earlier try had committed and nothing was done now. */
export interface TransactionReport {
  readonly found: boolean;
  readonly rows: number | null;
}
