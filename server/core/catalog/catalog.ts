import type { Hash } from "../base/hash.ts";
import type { RelationName } from "../base/relation-name.ts";
import type { OutputColumn } from "../snapshot/output-column.ts";

/** The live catalog of a warehouse, as far as a plan asked for it. References are names, never pointers or OIDs. */
export interface Catalog {
  readonly server: ServerFacts;
  /** Of the schemas that were asked for: those that exist. */
  readonly schemas: readonly CatalogSchema[];
  /** Of the relations that were asked for, and of everything in a closure: those that exist. Sorted by key. */
  readonly relations: readonly CatalogRelation[];
  /** One for each root that was asked for and exists. */
  readonly closures: readonly Closure[];
  /** The marker that the last promotion left in the warehouse, if it has one. */
  readonly environmentMarker: { readonly promotion: number; readonly digest: string } | null;
  /** Whether `weir_internal` is set up. */
  readonly internalReady: boolean;
}

export interface ServerFacts {
  /** `server_version_num`: 180004. */
  readonly version: number;
  readonly database: string;
  /** After SET ROLE, where the gateway has one. */
  readonly role: string;
  readonly superuser: boolean;
  /** CREATE on the database: needed where schemas are missing. */
  readonly mayCreateSchemas: boolean;
  readonly deadlockTimeoutMs: number;
  /** max_locks_per_transaction × (max_connections + max_prepared_transactions). */
  readonly lockSlots: number;
}

export interface CatalogSchema {
  readonly name: string;
  readonly owner: string;
  /** CREATE for the applying role. */
  readonly mayCreate: boolean;
  readonly mayUse: boolean;
}

export type RelationKind =
  | "table"
  | "partitioned_table"
  | "view"
  | "materialized_view"
  | "foreign_table"
  | "sequence"
  | "index"
  | "composite_type"
  | "other";

export interface CatalogRelation {
  readonly name: RelationName;
  readonly kind: RelationKind;
  readonly owner: string;
  /** The applying role may alter and replace it (owns it, or is a member of the owner). */
  readonly mayAlter: boolean;
  readonly columns: readonly CatalogColumn[];
  /** reloptions as the catalog spells them, `key=value`, sorted; of these a replace must repeat every one. */
  readonly options: readonly string[];
  /** With acldefault filled in, so that NULL and the explicit default are the same. Sorted. */
  readonly grants: readonly Grant[];
  readonly comment: string | null;
  readonly indexes: readonly CatalogIndex[];
  /** Names of user rules (not `_RETURN`) and user triggers; sorted. */
  readonly rules: readonly string[];
  readonly triggers: readonly string[];
  /** pg_get_viewdef under an empty search_path, for views and materialized views. */
  readonly definition: string | null;
  readonly populated: boolean | null;
  readonly estimatedRows: number | null;
  readonly bytes: number | null;
  readonly extension: string | null;
  /** Of everything above but estimates and size, keyed by names: equal means nobody changed it. */
  readonly fingerprint: Hash;
}

export interface CatalogColumn extends OutputColumn {
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  readonly comment: string | null;
  readonly grants: readonly Grant[];
}

export interface Grant {
  readonly grantor: string;
  /** `PUBLIC` for everybody. */
  readonly grantee: string;
  readonly privilege: string;
  readonly grantable: boolean;
}

export interface CatalogIndex {
  readonly name: string;
  /** pg_get_indexdef. */
  readonly definition: string;
  readonly unique: boolean;
  readonly valid: boolean;
}

/**
 * A database object as people name it; `type` in pg_identify_object's words: view, materialized view, function …
 * `name` is bare for relations and types, and a text for all else: `total(integer)` for functions, `audit on orders` for
 * rules, triggers, policies, defaults and constraints, `orders.total` for columns. `schema` is empty where there is none.
 */
export interface ObjectName {
  readonly schema: string;
  readonly name: string;
  readonly type: string;
}

/** Exactly what DROP … CASCADE of `root` would take, and nothing else. */
export interface Closure {
  readonly root: RelationName;
  readonly members: readonly ClosureMember[];
}

export interface ClosureMember {
  readonly object: ObjectName;
  readonly owner: string;
  /** Parts come back with what they belong to; units need a statement of their own; blocked ones can't be brought back. */
  readonly treatment: "part" | "unit" | "blocked";
  readonly blockedBecause: string | null;
  /** Longest path from the root, 1 for what depends on it directly. */
  readonly depth: number;
  /** What in the closure (or the root) it reads, and which columns of that. */
  readonly uses: readonly ColumnUse[];
  /** The name-keyed fingerprint of its relation, where it is one. */
  readonly fingerprint: Hash | null;
}

export interface ColumnUse {
  readonly object: ObjectName;
  /** `unknown` where the whole object is named and the catalog doesn't say which columns. */
  readonly columns: readonly string[] | "unknown";
}
