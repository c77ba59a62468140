import type { BlockerCode } from "../core/plan/hazards/hazard.ts";
import { blockerAcceptable } from "../core/plan/hazards/hazard-codes.ts";
import { objectName } from "../core/review/object-text.ts";
import type { PlanView } from "../core/review/plan-view.ts";

export interface NextStep {
  readonly command: string;
  readonly what: string;
}

/** Digits of a digest that people type: enough to be unique, few enough to compare by eye. */
const TYPED_DIGEST = 12;

export function typedDigest(digest: string): string {
  return digest.slice(0, TYPED_DIGEST);
}

/** What can be typed now, by the plan's result and state. Empty where there is nothing to do. */
export function nextSteps(view: PlanView): readonly NextStep[] {
  const { id, environment, state } = view;
  if (view.result === "empty") return [];
  const again: NextStep = { command: `weir plan ${environment}`, what: "plan again" };
  switch (state) {
    case "open":
      return view.result === "blocked" ? waysOut(view) : reviewSteps(view);
    case "approved":
      return [{ command: `weir apply ${id}`, what: "carry it out" }];
    case "applying":
      return [{ command: `weir apply ${id} --resume`, what: "go on, if its run died" }];
    case "failed":
      return [{ command: `weir apply ${id} --resume`, what: "go on where it stopped" }, again];
    case "stale":
    case "superseded":
    case "expired":
    case "rejected":
    case "discarded":
      return [again];
    default:
      return [];
  }
}

function reviewSteps({ id, digest }: PlanView): readonly NextStep[] {
  return [
    { command: `weir approve ${id} --digest ${typedDigest(digest)}`, what: "approve exactly this" },
    { command: `weir apply ${id}`, what: "carry it out, once approved" },
    { command: `weir show ${id} --explain`, what: "every statement, in order" },
  ];
}

/** Only what somebody may take on by name; everything else has to be resolved in the project or the warehouse. */
function waysOut(view: PlanView): readonly NextStep[] {
  const base = `weir plan ${view.environment}`;
  const accept = view.blockers.flatMap((blocker) => {
    if (blocker.code === "forward_only_destructive") return [];
    if (!isAcceptable(blocker.code)) return [];
    return blocker.objects.map(({ object }) => `--accept ${blocker.code}:${objectName(object)}`);
  });
  const destructive = view.blockers
    .filter((blocker) => blocker.code === "forward_only_destructive")
    .flatMap((blocker) => blocker.objects.map(({ object }) => `--allow-destructive-model ${objectName(object)}`));
  const steps: NextStep[] = [];
  if (accept.length > 0) {
    steps.push({ command: `${base} ${[...new Set(accept)].join(" ")}`, what: "take these very losses on, by name" });
  }
  if (destructive.length > 0) {
    steps.push({ command: `${base} ${[...new Set(destructive)].join(" ")}`, what: "allow losing columns" });
  }
  if (view.blockers.some((blocker) => blocker.code === "other_project")) {
    steps.push({ command: `${base} --replace-project`, what: "replace the other project" });
  }
  return [...steps, { command: base, what: "plan again, once resolved" }];
}

function isAcceptable(code: string): boolean {
  return Object.hasOwn(blockerAcceptable, code) && blockerAcceptable[code as BlockerCode];
}
