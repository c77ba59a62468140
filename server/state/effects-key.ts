import { type Hash, hashJson, type Json } from "../core/base/hash.ts";
import type { Plan } from "../core/plan/plan.ts";

/** Equal for plans that would do the same from the same start: everything that is digested but the submission number. */
export function effectsKey(plan: Plan): Hash {
  const { submission: _, ...target } = plan.effects.target;
  return hashJson({ format: plan.format, effects: { ...plan.effects, target } } as unknown as Json);
}
