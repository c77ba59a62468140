/** Schema and name of a key like `repro.items` or `"Sales"."Top.10"`: the last dot outside quotes parts them. */
export function splitName(key: string): { readonly schema: string; readonly name: string } {
  let quoted = false;
  let cut = -1;
  for (let index = 0; index < key.length; index += 1) {
    const character = key[index];
    if (character === '"') quoted = !quoted;
    if (character === "." && !quoted) cut = index;
  }
  return { schema: key.slice(0, Math.max(cut, 0)), name: key.slice(cut + 1) };
}

/** As Postgres would print it: quoted only where the bare word would mean another name. */
export function spellName({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return [schema, name]
    .map((part) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`))
    .join(".");
}
