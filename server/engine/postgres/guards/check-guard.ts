import { assertNever } from "../../../core/base/result.ts";
import type { Guard } from "../../../core/plan/action.ts";
import type { Timeouts } from "../timeouts.ts";
import { checkAbsent } from "./check-absent.ts";
import { checkBare } from "./check-bare.ts";
import { checkCaptured } from "./check-captured.ts";
import { checkOrdinals } from "./check-ordinals.ts";
import { checkRowsSame, rememberRows } from "./check-rows.ts";
import { checkUnchanged } from "./check-unchanged.ts";
import type { GuardContext } from "./guard-context.ts";

/**
 * Checks under a lock that what the plan relied on still holds. Until the transaction ends nobody can change it.
 *
 * @throws WarehouseError `guard_failed`, `rows_differ` or `used_by_place`, with what differs, one line each
 */
export async function checkGuard(context: GuardContext, guard: Guard, lockTimeoutMs: number | null): Promise<void> {
  const timeouts: Timeouts = { lockTimeoutMs: lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS, statementTimeoutMs: 60_000 };
  switch (guard.kind) {
    case "absent":
      return checkAbsent(context, guard.relation);
    case "unchanged":
      return checkUnchanged(context, guard, timeouts);
    case "bare":
      return checkBare(context, guard, timeouts);
    case "captured":
      return checkCaptured(context, guard, timeouts);
    case "rows_remembered":
      return rememberRows(context, guard.relation, timeouts);
    case "rows_same":
      return checkRowsSame(context, guard.relation, timeouts);
    case "ordinals":
      return checkOrdinals(context, guard, timeouts);
    default:
      return assertNever(guard);
  }
}

/** A guard before a step that says nothing of its own locks. */
const DEFAULT_LOCK_TIMEOUT_MS = 250;
