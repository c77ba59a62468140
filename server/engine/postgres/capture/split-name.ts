/**
 * Takes apart a name that was put together for people: `audit on orders`, `"a on b" on "c.d"`, `total(integer)`,
 * `"Odd.stats"`. The reverse of how `catalog/describe-node.ts` names such things. Identifiers are bare or quoted with
 * doubled quotes, so there is one way only to read it. Null for what isn't written so.
 *
 * `detail` is the relation's bare name after `on`, and the whole text where there is none.
 */
export function splitName(text: string): { readonly own: string; readonly detail: string } | null {
  const own = IDENTIFIER.exec(text)?.[0];
  if (own === undefined) return null;
  const rest = text.slice(own.length);
  if (!rest.startsWith(ON)) return rest === "" || rest.startsWith("(") ? { own: bare(own), detail: text } : null;
  const host = rest.slice(ON.length);
  return IDENTIFIER.exec(host)?.[0] === host ? { own: bare(own), detail: bare(host) } : null;
}

const ON = " on ";

/** The server leaves letters beyond ASCII unquoted nowhere, nor do we: whatever isn't a plain word is in quotes. */
const IDENTIFIER = /^(?:"(?:[^"]|"")+"|[^"\s(.]+)/;

function bare(identifier: string): string {
  return identifier.startsWith('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier;
}
