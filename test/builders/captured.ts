import type {
  CapturedCheck,
  CapturedColumn,
  CapturedDefault,
  CapturedFunction,
  CapturedIndex,
  CapturedMaterializedView,
  CapturedPolicy,
  CapturedRule,
  CapturedStatistics,
  CapturedStoredColumn,
  CapturedTrigger,
  CapturedView,
} from "../../server/core/catalog/captured.ts";
import type { Grant } from "../../server/core/catalog/catalog.ts";

/** Captured objects of `bi_team` in the schema `bi`, plain where nothing is said. */
const BARE = { owner: "bi_team", comment: null, labels: [], extensions: [] } as const;

const ORDERS = { schema: "bi", name: "orders" } as const;

export function aGrant(grantee: string, privilege = "SELECT", changes: Partial<Grant> = {}): Grant {
  return { grantor: "bi_team", grantee, privilege, grantable: false, ...changes };
}

export function aCapturedColumn(name: string, changes: Partial<CapturedColumn> = {}): CapturedColumn {
  const nothing = { collation: null, comment: null, grants: [], labels: [], defaultExpression: null };
  return { name, type: "integer", ...nothing, ...changes };
}

export function aCapturedStoredColumn(name: string, changes: Partial<CapturedStoredColumn> = {}): CapturedStoredColumn {
  const nothing = { storage: null, compression: null, statisticsTarget: null, options: [] };
  return { ...aCapturedColumn(name), ...nothing, ...changes };
}

export function aCapturedView(name = "revenue", changes: Partial<CapturedView> = {}): CapturedView {
  return {
    kind: "view",
    object: { schema: "bi", name, type: "view" },
    relation: { schema: "bi", name },
    ...BARE,
    columns: [aCapturedColumn("id")],
    options: [],
    definition: "SELECT orders.id\n   FROM shop.orders",
    grants: [aGrant("bi_team")],
    rowType: { comment: null, grants: [aGrant("PUBLIC", "USAGE"), aGrant("bi_team", "USAGE")], labels: [] },
    ...changes,
  };
}

export function aCapturedMaterializedView(
  name = "daily",
  changes: Partial<CapturedMaterializedView> = {},
): CapturedMaterializedView {
  return {
    ...aCapturedView(name),
    kind: "materialized_view",
    object: { schema: "bi", name, type: "materialized view" },
    columns: [aCapturedStoredColumn("id")],
    toastOptions: [],
    accessMethod: "heap",
    tablespace: null,
    populated: true,
    replicaIdentity: "default",
    bytes: 8192,
    estimatedRows: null,
    ...changes,
  };
}

export function aCapturedIndex(name = "daily_id", changes: Partial<CapturedIndex> = {}): CapturedIndex {
  return {
    kind: "index",
    object: { schema: "bi", name, type: "index" },
    index: { schema: "bi", name },
    on: { schema: "bi", name: "daily" },
    ...BARE,
    definition: `CREATE INDEX ${name} ON bi.daily USING btree (id)`,
    tablespace: null,
    clustered: false,
    replicaIdentity: false,
    statisticsTargets: [],
    ...changes,
  };
}

export function aCapturedStatistics(
  name = "daily_stats",
  changes: Partial<CapturedStatistics> = {},
): CapturedStatistics {
  return {
    kind: "statistics",
    object: { schema: "bi", name, type: "statistics object" },
    statistics: { schema: "bi", name },
    ...BARE,
    definition: `CREATE STATISTICS bi.${name} ON id, day FROM bi.daily`,
    target: null,
    ...changes,
  };
}

export function aCapturedRule(rule = "quiet", changes: Partial<CapturedRule> = {}): CapturedRule {
  return {
    kind: "rule",
    object: { schema: "bi", name: `${rule} on orders`, type: "rule" },
    rule,
    on: ORDERS,
    onKind: "table",
    ...BARE,
    definition: `CREATE RULE ${rule} AS\n    ON DELETE TO bi.orders DO INSTEAD NOTHING`,
    state: "origin",
    ...changes,
  };
}

export function aCapturedTrigger(trigger = "audit", changes: Partial<CapturedTrigger> = {}): CapturedTrigger {
  return {
    kind: "trigger",
    object: { schema: "bi", name: `${trigger} on orders`, type: "trigger" },
    trigger,
    on: ORDERS,
    onKind: "table",
    ...BARE,
    definition: `CREATE TRIGGER ${trigger} AFTER INSERT ON bi.orders FOR EACH ROW EXECUTE FUNCTION bi.audit()`,
    state: "origin",
    ...changes,
  };
}

export function aCapturedPolicy(policy = "known", changes: Partial<CapturedPolicy> = {}): CapturedPolicy {
  return {
    kind: "policy",
    object: { schema: "bi", name: `${policy} on orders`, type: "policy" },
    policy,
    on: ORDERS,
    ...BARE,
    command: "ALL",
    permissive: true,
    roles: ["PUBLIC"],
    using: "(id > 0)",
    check: null,
    ...changes,
  };
}

export function aCapturedDefault(column = "total", changes: Partial<CapturedDefault> = {}): CapturedDefault {
  return {
    kind: "default",
    object: { schema: "bi", name: `${column} on orders`, type: "default value" },
    on: ORDERS,
    onKind: "table",
    ...BARE,
    column,
    expression: "bi.largest()",
    ...changes,
  };
}

export function aCapturedCheck(constraint = "positive", changes: Partial<CapturedCheck> = {}): CapturedCheck {
  return {
    kind: "check",
    object: { schema: "bi", name: `${constraint} on orders`, type: "table constraint" },
    constraint,
    on: ORDERS,
    ...BARE,
    definition: "CHECK ((total > bi.largest()))",
    validated: true,
    ...changes,
  };
}

export function aCapturedFunction(name = "largest", changes: Partial<CapturedFunction> = {}): CapturedFunction {
  return {
    kind: "function",
    object: { schema: "bi", name: `${name}()`, type: "function" },
    routine: "function",
    signature: `bi.${name}()`,
    schema: "bi",
    ...BARE,
    definition: `CREATE OR REPLACE FUNCTION bi.${name}()\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT 1;\nEND`,
    grants: [aGrant("PUBLIC", "EXECUTE"), aGrant("bi_team", "EXECUTE")],
    usesRowType: false,
    cost: 100,
    ...changes,
  };
}
