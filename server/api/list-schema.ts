import { z } from "zod";

/** Our values are readonly throughout; a plain `z.array` would ask for a mutable one. */
export function list<T extends z.ZodType>(item: T) {
  return z.array(item).readonly();
}
