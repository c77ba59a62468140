/** Whether a name holds what was typed, whatever the case and the quotes: `sales.top` is in `"Sales"."Top.10"`. */
export function nameHolds(name: string, typed: string): boolean {
  const text = fold(typed.trim());
  return text === "" || fold(name).includes(text) || fold(name.replaceAll('"', "")).includes(text);
}

/** Up and down again, so that ß and SS are one, too. */
function fold(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase();
}
