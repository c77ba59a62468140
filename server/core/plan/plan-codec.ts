import { z } from "zod";
import { canonicalJson, type Hash, hashJson, type Json, shortId } from "../base/hash.ts";
import { type Problem, problem } from "../base/problem.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { PLAN_FORMAT, type Plan, type PlanContext, type PlanEffects } from "./plan.ts";
import { planContextSchema, planEffectsSchema } from "./plan-effects-codec.ts";

/**
 * Stored plans. What is approved is a digest over `format` and `effects`, so a reader must understand every field
 * of `effects` or refuse: a field it skipped could be the one that matters. Unknown fields of `context` are dropped.
 */
const storedSchema = z.object({
  id: z.string(),
  digest: z.string(),
  format: z.literal(PLAN_FORMAT),
  effects: planEffectsSchema,
  context: planContextSchema,
});

/** SHA-256 over the canonical JSON of `{ effects, format }`. */
export function planDigest(effects: PlanEffects): Hash {
  return hashJson({ format: PLAN_FORMAT, effects: effects as unknown as Json });
}

/** The first 12 base32 characters of the digest: 60 bits, what people type. */
export function planId(digest: Hash): string {
  return shortId(digest, 12);
}

/** Gives effects their identity. The only way a plan comes into being. */
export function sealPlan(effects: PlanEffects, context: PlanContext): Plan {
  const digest = planDigest(effects);
  return { id: planId(digest), digest, format: PLAN_FORMAT, effects, context };
}

/** Canonical JSON (RFC 8785): equal plans are equal texts. */
export function encodePlan(plan: Plan): string {
  return canonicalJson(plan as unknown as Json);
}

/** Refuses another format, unknown or missing fields of `effects`, and effects that don't hash to the stored digest. */
export function decodePlan(text: string): Result<Plan> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed(unreadable("it is not JSON"));
  }
  const format = formatOf(value);
  if (format !== PLAN_FORMAT) return failed(problem("plan_format_unknown", { format: String(format ?? "none") }));
  const parsed = storedSchema.safeParse(value);
  if (!parsed.success) return failed(...parsed.error.issues.slice(0, 5).map(issueProblem));
  const digest = planDigest(parsed.data.effects);
  if (digest !== parsed.data.digest)
    return failed(unreadable(`its contents hash to ${digest}, not to its digest ${parsed.data.digest}`));
  if (parsed.data.id !== planId(digest))
    return failed(unreadable(`its id ${parsed.data.id} doesn't belong to its digest`));
  return ok(parsed.data);
}

function formatOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "format" in value ? value.format : null;
}

function issueProblem(issue: z.core.$ZodIssue): Problem {
  const place = issue.path.length === 0 ? "the plan" : issue.path.map(String).join(".");
  return unreadable(`${place}: ${issue.message}`);
}

function unreadable(reason: string): Problem {
  return problem("plan_unreadable", { reason });
}
