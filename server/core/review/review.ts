import type { Hash } from "../base/hash.ts";

/** What somebody decided about a plan. Recorded once, never changed; `units` are the digests that were seen. */
export interface Decision {
  readonly planId: string;
  readonly digest: Hash;
  readonly units: readonly Hash[];
  readonly verdict: "approve" | "reject";
  readonly by: string;
  readonly at: string;
  /** Compulsory for a rejection. */
  readonly reason: string | null;
  /** `review` for a person's decision, `auto-apply` for the approval that the option records. */
  readonly how: "review" | "auto-apply";
}
