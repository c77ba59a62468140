import type { RelationName } from "../base/relation-name.ts";
import type { Grant, ObjectName } from "./catalog.ts";

/**
 * Everything that has to be known of an object in order to drop it and make it again exactly as it was. Names only, no
 * OIDs. Texts are as the server prints them under an empty search_path, so they are comparable within one server only.
 * What can't be captured whole isn't here: it blocks (`ClosureMember.blockedBecause`).
 */
export type Captured =
  | CapturedView
  | CapturedMaterializedView
  | CapturedIndex
  | CapturedStatistics
  | CapturedRule
  | CapturedTrigger
  | CapturedPolicy
  | CapturedDefault
  | CapturedCheck
  | CapturedFunction;

export type CapturedKind = Captured["kind"];

interface CapturedBase {
  /** As the closure names it: `audit on orders` for what is on a relation, `total(integer)` for a function. */
  readonly object: ObjectName;
  /** Of the relation it is on, for what has no owner of its own. */
  readonly owner: string;
  readonly comment: string | null;
  /** SECURITY LABELs of the object itself, sorted by provider. */
  readonly labels: readonly SecurityLabel[];
  /** Extensions that it was made to depend on (ALTER … DEPENDS ON EXTENSION), sorted. Plain views can't have any. */
  readonly extensions: readonly string[];
}

export interface SecurityLabel {
  readonly provider: string;
  readonly label: string;
}

/** The row type that every view and materialized view brings along. */
export interface CapturedRowType {
  readonly comment: string | null;
  /** With acldefault filled in; sorted. */
  readonly grants: readonly Grant[];
  readonly labels: readonly SecurityLabel[];
}

export interface CapturedView extends CapturedBase {
  readonly kind: "view";
  readonly relation: RelationName;
  readonly columns: readonly CapturedColumn[];
  /** reloptions as `key=value`, sorted. */
  readonly options: readonly string[];
  /** The query, without a closing semicolon. */
  readonly definition: string;
  /** With acldefault filled in, sorted; the owner's own among them. */
  readonly grants: readonly Grant[];
  readonly rowType: CapturedRowType;
}

export interface CapturedMaterializedView extends CapturedBase {
  readonly kind: "materialized_view";
  readonly relation: RelationName;
  readonly columns: readonly CapturedStoredColumn[];
  readonly options: readonly string[];
  /** Of its TOAST table, as `key=value`, sorted. */
  readonly toastOptions: readonly string[];
  readonly definition: string;
  readonly grants: readonly Grant[];
  readonly rowType: CapturedRowType;
  readonly accessMethod: string;
  /** Null for the database's default. */
  readonly tablespace: string | null;
  readonly populated: boolean;
  /** `using_index` where an index of its own says so (CapturedIndex.replicaIdentity). */
  readonly replicaIdentity: "default" | "full" | "nothing" | "using_index";
  /** pg_total_relation_size and reltuples: what making it again costs. They aren't part of what must be the same. */
  readonly bytes: number;
  readonly estimatedRows: number | null;
}

export interface CapturedColumn {
  readonly name: string;
  /** format_type with its modifier. */
  readonly type: string;
  /** Qualified, where it isn't the type's own. */
  readonly collation: string | null;
  readonly comment: string | null;
  /** attacl: only what was granted on the column itself. */
  readonly grants: readonly Grant[];
  readonly labels: readonly SecurityLabel[];
  /** Of a view's column: pg_get_expr. */
  readonly defaultExpression: string | null;
}

export interface CapturedStoredColumn extends CapturedColumn {
  /** PLAIN, EXTERNAL, EXTENDED or MAIN, where it isn't the type's own. */
  readonly storage: string | null;
  readonly compression: string | null;
  /** Null for the default, which is NULL or -1 in the catalog. */
  readonly statisticsTarget: number | null;
  /** attoptions without the server's own (`pg_…`), as `key=value`, sorted. */
  readonly options: readonly string[];
}

export interface CapturedIndex extends CapturedBase {
  readonly kind: "index";
  readonly index: RelationName;
  readonly on: RelationName;
  /** pg_get_indexdef, which leaves the tablespace out. */
  readonly definition: string;
  readonly tablespace: string | null;
  readonly clustered: boolean;
  readonly replicaIdentity: boolean;
  /** By the column's number within the index, from 1. */
  readonly statisticsTargets: readonly { readonly column: number; readonly target: number }[];
}

export interface CapturedStatistics extends CapturedBase {
  readonly kind: "statistics";
  readonly statistics: RelationName;
  readonly definition: string;
  readonly target: number | null;
}

/** Whether it fires: as it was made, never, only on a replica, or always. */
export type FiringState = "origin" | "disabled" | "replica" | "always";

export interface CapturedRule extends CapturedBase {
  readonly kind: "rule";
  readonly rule: string;
  readonly on: RelationName;
  readonly onKind: HostKind;
  readonly definition: string;
  readonly state: FiringState;
}

export interface CapturedTrigger extends CapturedBase {
  readonly kind: "trigger";
  readonly trigger: string;
  readonly on: RelationName;
  readonly onKind: HostKind;
  readonly definition: string;
  readonly state: FiringState;
}

export interface CapturedPolicy extends CapturedBase {
  readonly kind: "policy";
  readonly policy: string;
  readonly on: RelationName;
  readonly command: "ALL" | "SELECT" | "INSERT" | "UPDATE" | "DELETE";
  readonly permissive: boolean;
  /** `PUBLIC` for everybody. */
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

/** A column default of a table that calls or reads something in the closure. Defaults of a view are in its columns. */
export interface CapturedDefault extends CapturedBase {
  readonly kind: "default";
  readonly on: RelationName;
  readonly onKind: HostKind;
  readonly column: string;
  readonly expression: string;
}

export interface CapturedCheck extends CapturedBase {
  readonly kind: "check";
  readonly constraint: string;
  readonly on: RelationName;
  /** pg_get_constraintdef, which says NOT VALID where it is. */
  readonly definition: string;
  readonly validated: boolean;
}

export interface CapturedFunction extends CapturedBase {
  readonly kind: "function";
  readonly routine: "function" | "procedure";
  /** Qualified, with the types of its arguments, as in DROP FUNCTION: `bi.total(integer)`. */
  readonly signature: string;
  readonly schema: string;
  /** pg_get_functiondef, without a closing semicolon. */
  readonly definition: string;
  readonly grants: readonly Grant[];
  /** Its arguments or its result are built on the row type of a view, stored or not: where that is made anew, it can't be replaced in place. */
  readonly usesRowType: boolean;
  /** procost, for the statement that makes others wait without changing anything. */
  readonly cost: number;
}

export type HostKind = "table" | "view" | "materialized_view" | "foreign_table";

/** What was read about objects that may have to be dropped and made again. */
export interface Captures {
  /** Sorted by `objectKey` of their names; one for each that was asked for, exists, and can be captured. */
  readonly objects: readonly Captured[];
  /**
   * Whom ALTER DEFAULT PRIVILEGES of the applying role gives something on whatever it creates, by schema: those grants
   * have to be taken away again from what is made anew. Sorted; one entry for each schema of `objects`.
   */
  readonly defaultGrantees: readonly DefaultGrantees[];
  /** One for each of `objects` and in the same order. */
  readonly rights: readonly RestoreRights[];
}

export interface DefaultGrantees {
  readonly schema: string;
  readonly relations: readonly string[];
  readonly functions: readonly string[];
  readonly types: readonly string[];
}

/** What the applying role may do with an object. "May drop but not restore" is what a plan must find out beforehand. */
export interface RestoreRights {
  readonly object: ObjectName;
  /** pg_has_role(owner, 'USAGE'), or superuser. */
  readonly mayAlter: boolean;
  /** The right to become the owner: 'SET' from 16 on, 'MEMBER' before. */
  readonly mayGiveBack: boolean;
  /** CREATE on the schema for the owner, where it must have it to be given the object; a superuser doesn't need it. */
  readonly ownerMayCreate: boolean;
  /** CREATE on the schema; true for what isn't made in a schema: rules, triggers, policies, defaults, checks. */
  readonly roleMayCreate: boolean;
  /** Who granted something on it, isn't its owner, and can't be become, or couldn't name it for want of USAGE on the schema. */
  readonly grantorsOutOfReach: readonly string[];
}

/** Which side of an object differs; also what a receipt compares. */
export type CapturedAspect =
  | "definition"
  | "columns"
  | "owner"
  | "grants"
  | "options"
  | "comments"
  | "labels"
  /** Firing state, populated, replica identity, clustered, validated, extension edges. */
  | "state";
