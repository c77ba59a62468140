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

/** Only what unblocks: where one blocker has to be resolved, accepting the others leads nowhere. */
function waysOut(view: PlanView): readonly NextStep[] {
  const base = `weir plan ${view.environment}`;
  const again: NextStep = { command: base, what: "plan again, once resolved" };
  const options = view.blockers.map(optionsFor);
  if (options.some((each) => each === null)) return [again];
  const words = [...new Set(options.flatMap((each) => each ?? []))];
  return [{ command: `${base} ${words.join(" ")}`, what: "take exactly this on, by name" }, again];
}

/** The options that take a blocker on; null where nobody may. */
function optionsFor({ code, objects }: PlanView["blockers"][number]): readonly string[] | null {
  const names = objects.map(({ object }) => objectName(object));
  if (code === "forward_only_destructive") return names.map((name) => `--allow-destructive-model ${shellWord(name)}`);
  if (code === "other_project") return ["--replace-project"];
  return isAcceptable(code) ? names.map((name) => `--accept ${shellWord(`${code}:${name}`)}`) : null;
}

/** Quoted where a shell would read more into it than letters. */
function shellWord(word: string): string {
  return /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function isAcceptable(code: string): boolean {
  return Object.hasOwn(blockerAcceptable, code) && blockerAcceptable[code as BlockerCode];
}
