import { splitName } from "./split-name.ts";

/** A name in mono with its schema quieter. Wraps where it must, never truncates. */
export function ObjectName({ name }: { readonly name: string }) {
  const parts = splitName(name);
  return (
    <>
      {parts.schema !== "" && <i>{parts.schema}.</i>}
      {parts.name}
    </>
  );
}
