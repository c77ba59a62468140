import { compareText } from "../../../base/relation-name.ts";
import type { Grant } from "../../../catalog/catalog.ts";

/** `column` is null for a grant on the whole object. */
export interface PlacedGrant {
  readonly column: string | null;
  readonly grant: Grant;
}

/** What one grantor gives to one grantee, in one way. */
export interface GrantBatch {
  readonly grantor: string;
  readonly grantee: string;
  readonly grantable: boolean;
  /** Sorted by privilege, the whole object before its columns. */
  readonly given: readonly { readonly privilege: string; readonly columns: readonly string[] | null }[];
}

/**
 * The owner's grants first, then those of whoever has been given the option by then, and so on: the server refuses a
 * grant whose grantor doesn't hold the option yet. An option on the whole relation covers each of its columns.
 */
export function orderGrants(owner: string, grants: readonly PlacedGrant[]): readonly GrantBatch[] {
  const held = new Set<string>();
  const mayGrant = ({ column, grant }: PlacedGrant): boolean =>
    grant.grantor === owner ||
    held.has(optionKey(grant.grantor, grant.privilege, null)) ||
    (column !== null && held.has(optionKey(grant.grantor, grant.privilege, column)));

  const batches: GrantBatch[] = [];
  let pending = grants;
  while (pending.length > 0) {
    const ready = pending.filter(mayGrant);
    // Options that nobody gave can't be brought back; the server will say so, and all of it is undone.
    const wave = ready.length > 0 ? ready : pending;
    for (const { column, grant } of wave) {
      if (grant.grantable) held.add(optionKey(grant.grantee, grant.privilege, column));
    }
    batches.push(...batchesOf(owner, wave));
    const done = new Set(wave);
    pending = pending.filter((each) => !done.has(each));
  }
  return batches;
}

function batchesOf(owner: string, wave: readonly PlacedGrant[]): readonly GrantBatch[] {
  const groups = new Map<string, PlacedGrant[]>();
  for (const placed of wave) {
    const { grantor, grantee, grantable } = placed.grant;
    const key = JSON.stringify([grantor !== owner, grantor, grantee, grantable]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [placed]);
    else group.push(placed);
  }
  return [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, group]) => {
      const { grantor, grantee, grantable } = (group[0] as PlacedGrant).grant;
      return { grantor, grantee, grantable, given: givenBy(group) };
    });
}

function givenBy(group: readonly PlacedGrant[]): GrantBatch["given"] {
  const privileges = [...new Set(group.map(({ grant }) => grant.privilege))].sort(compareText);
  return privileges.flatMap((privilege) => {
    const same = group.filter(({ grant }) => grant.privilege === privilege);
    const columns = same.flatMap(({ column }) => (column === null ? [] : [column]));
    const whole = same.some(({ column }) => column === null) ? [{ privilege, columns: null }] : [];
    return columns.length === 0 ? whole : [...whole, { privilege, columns: columns.sort(compareText) }];
  });
}

function optionKey(role: string, privilege: string, column: string | null): string {
  return JSON.stringify([role, privilege, column]);
}
