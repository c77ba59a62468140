import { compareText, quoteIdentifier } from "../../../base/relation-name.ts";
import type { Statement } from "../../../plan/action.ts";
import { columnList } from "../column-list.ts";
import { heldStatement } from "../statement.ts";
import { type GrantBatch, orderGrants, type PlacedGrant } from "./grant-order.ts";
import type { RestoreContext } from "./restore-context.ts";

/**
 * Gives a new object exactly these grants. First everything that the server gave by itself is taken away: to everybody,
 * to the owner, and what default privileges of the applying role add. Privileges are never spelled out from a list of
 * ours, since newer servers know more of them.
 *
 * `on` is the object as GRANT names it. It must have its owner by now: grants to and by its former owner would turn into
 * the new one's.
 */
export function restoreGrantsStatements(
  on: string,
  owner: string,
  grants: readonly PlacedGrant[],
  byDefault: readonly string[],
  context: RestoreContext,
): readonly Statement[] {
  const revoked = [...new Set([owner, ...byDefault])].filter((role) => role !== PUBLIC).sort(compareText);
  const revoke = `REVOKE ALL ON ${on} FROM ${[PUBLIC, ...revoked.map(quoteIdentifier)].join(", ")}`;
  return [revoke, ...grantTexts(on, owner, grants, context)].map((sql) => heldStatement(sql, context.timeouts));
}

/**
 * GRANT … GRANTED BY somebody else is refused, so another grantor's role is taken on while their grants are given. Those
 * of the owner need none: whoever has the rights of the owner grants as the owner.
 */
function grantTexts(
  on: string,
  owner: string,
  grants: readonly PlacedGrant[],
  context: RestoreContext,
): readonly string[] {
  const texts: string[] = [];
  let speaking = owner;
  for (const batch of orderGrants(owner, grants)) {
    if (batch.grantor !== speaking) {
      texts.push(`SET LOCAL ROLE ${quoteIdentifier(batch.grantor === owner ? context.role : batch.grantor)}`);
      speaking = batch.grantor;
    }
    texts.push(grantText(on, batch));
  }
  if (speaking !== owner) texts.push(`SET LOCAL ROLE ${quoteIdentifier(context.role)}`);
  return texts;
}

function grantText(on: string, batch: GrantBatch): string {
  const given = batch.given.map(({ privilege, columns }) =>
    columns === null ? privilege : `${privilege} (${columnList(columns)})`,
  );
  const grantee = batch.grantee === PUBLIC ? PUBLIC : quoteIdentifier(batch.grantee);
  return `GRANT ${given.join(", ")} ON ${on} TO ${grantee}${batch.grantable ? " WITH GRANT OPTION" : ""}`;
}

const PUBLIC = "PUBLIC";
