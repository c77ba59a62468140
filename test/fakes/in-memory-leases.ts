import { AppError } from "../../server/core/base/app-error.ts";
import { problem } from "../../server/core/base/problem.ts";
import { compareText } from "../../server/core/base/relation-name.ts";
import type { Lease, LeaseRecords } from "../../server/ports/state-store.ts";
import { type MemorySession, type MemoryTables, notify } from "./in-memory-environments.ts";

export function requireLease(tables: MemoryTables, lease: Lease): void {
  if (tables.leases.some((each) => each.epoch === lease.epoch && !each.ended)) return;
  const taken = lease.scopes.find((scope) => tables.scopes.get(scope) !== lease.epoch);
  throw new AppError(problem("fence_lost", { scope: taken ?? lease.scopes.join(", ") }));
}

export function leaseRecords(tables: MemoryTables, session: MemorySession): LeaseRecords {
  return {
    acquireLease: async ({ run, holder, scopes: asked }) => {
      const scopes = [...new Set(asked)].sort(compareText);
      for (const scope of scopes) {
        const held = tables.leases.find((each) => each.epoch === tables.scopes.get(scope));
        if (held === undefined || held.ended || !held.session.alive) continue;
        return { ok: false, scope, holder: held.holder, since: held.since, run: held.run };
      }
      for (const scope of scopes) {
        for (const each of tables.leases) if (each.epoch === tables.scopes.get(scope)) each.ended = true;
      }
      const epoch = tables.leases.length + 1;
      // A moment of its own for each lease, without a clock.
      const since = new Date(epoch * 1000).toISOString();
      tables.leases.push({ epoch, run, holder, since, session, ended: false });
      for (const scope of scopes) tables.scopes.set(scope, epoch);
      return { ok: true, lease: { run, scopes, epoch } };
    },
    releaseLease: async (lease) => {
      for (const each of tables.leases) if (each.epoch === lease.epoch) each.ended = true;
      notify(tables);
    },
  };
}
