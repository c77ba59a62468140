import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "../../core/base/app-error.ts";
import { problem } from "../../core/base/problem.ts";
import { durationText } from "../../core/review/applied-line.ts";
import type { PlanView } from "../../core/review/plan-view.ts";
import { decidePlan } from "../../operations/decide-plan.ts";
import { type PlannedEnvironment, planEnvironment } from "../../operations/plan-environment.ts";
import type { ProjectPlace } from "../../operations/services.ts";
import { actingPerson } from "../acting-person.ts";
import { carryOut } from "../carry-out.ts";
import type { CommandContext, Outcome } from "../command.ts";
import { DONE, exitOfPlan } from "../exit-code.ts";
import { type OpenServices, openOrCreate, withServices } from "../local-services.ts";
import { plainPaint } from "../paint.ts";
import { printPlan } from "../print-plan.ts";
import { printPlanMarkdown } from "../print-plan-markdown.ts";
import { projectPlace } from "../project-place.ts";
import { reviewLink } from "../review-link.ts";

export type PlanFormat = "text" | "json" | "markdown";

export interface PlanInput {
  readonly environment: string | null;
  readonly autoApply: boolean;
  readonly format: PlanFormat;
  readonly out: string | null;
  readonly submit: boolean;
  readonly detailedExitcode: boolean;
  readonly accept: readonly string[];
  readonly allowDestructive: readonly string[];
  readonly replaceProject: boolean;
  readonly explain: boolean;
}

/** Builds, keeps and shows a plan; applies it if that was asked for or is answered with yes. */
export async function runPlan(context: CommandContext, input: PlanInput): Promise<Outcome> {
  const place = projectPlace(context.globals);
  context.stop.describe("planning");
  const services = await openOrCreate(context, place);
  if (services === null) return { exit: DONE, json: null };
  return withServices(services, async () => {
    const planned = await makePlan(context, services, place, input);
    const { view } = planned;
    printView(context, view, input);
    if (planned.existing) context.terminal.note(`This very plan was waiting already, by ${view.author}.`);
    if (input.out !== null) await writePlan(view, input, input.out);
    const shown: Outcome = { exit: exitOfPlan(view, input.detailedExitcode), json: view };
    if (view.result !== "applicable") return shown;
    if (input.submit) {
      context.terminal.note(`Waiting for review: ${reviewLink(view.id)}`);
      return shown;
    }
    if (!input.autoApply && !(await agrees(context, view))) return shown;
    await approve(services, view, input.autoApply ? "auto-apply" : "review");
    return carryOut(context, services, { view, place, resume: false });
  });
}

async function makePlan(
  { terminal }: CommandContext,
  services: OpenServices,
  place: ProjectPlace,
  input: PlanInput,
): Promise<PlannedEnvironment> {
  const startedAt = Date.now();
  terminal.event({ event: "planning_started", folder: place.folder });
  terminal.live("Reading the project, the state and the warehouse …");
  try {
    const planned = await planEnvironment(services, {
      place,
      environment: input.environment,
      options: {
        allowDestructive: [...new Set(input.allowDestructive)].sort(),
        accept: [...new Set(input.accept)].sort(),
        replaceProject: input.replaceProject,
      },
      author: actingPerson(),
      save: true,
    });
    const ms = Date.now() - startedAt;
    terminal.event({ event: "planned", plan: planned.view.id, result: planned.view.result, ms });
    if (terminal.verbose) terminal.note(`Planned in ${durationText(ms)}.`);
    return planned;
  } finally {
    terminal.live(null);
  }
}

function printView({ terminal }: CommandContext, view: PlanView, input: PlanInput): void {
  const { paint, width, verbose } = terminal;
  const { format, explain } = input;
  const asked = terminal.interactive && !input.submit;
  const steps = view.result === "blocked" || !(input.autoApply || asked);
  const options = { paint, width, explain, verbose, steps };
  terminal.print(format === "markdown" ? printPlanMarkdown(view) : printPlan(view, options));
}

async function agrees({ terminal }: CommandContext, view: PlanView): Promise<boolean> {
  if (!terminal.interactive) return false;
  const agreed = await terminal.ask(`Apply this plan to ${view.environment}?`, false);
  if (!agreed) terminal.note(`Nothing was changed. The plan stays open: weir show ${view.id}`);
  return agreed;
}

/** One that was waiting and approved already needs no second approval. */
async function approve(services: OpenServices, view: PlanView, how: "auto-apply" | "review"): Promise<void> {
  if (view.state !== "open") return;
  const { id, digest } = view;
  await decidePlan(services, { planId: id, digest, verdict: "approve", reason: null, by: actingPerson(), how });
}

/** In the format that the file's name ends in, else the one that was asked for. */
async function writePlan(view: PlanView, input: PlanInput, out: string): Promise<void> {
  const file = resolve(out);
  try {
    await writeFile(file, `${fileText(view, input, formatOfFile(file) ?? input.format)}\n`);
  } catch (error) {
    throw new AppError(problem("file_unwritable", { file, reason: error instanceof Error ? error.message : "" }));
  }
}

function formatOfFile(file: string): PlanFormat | null {
  if (file.endsWith(".json")) return "json";
  return file.endsWith(".md") ? "markdown" : null;
}

function fileText(view: PlanView, { explain }: PlanInput, format: PlanFormat): string {
  const plain = { paint: plainPaint, width: Number.POSITIVE_INFINITY, explain, verbose: false, steps: true };
  const texts: Readonly<Record<PlanFormat, () => string>> = {
    text: () => printPlan(view, plain),
    json: () => JSON.stringify(view, null, 2),
    markdown: () => printPlanMarkdown(view),
  };
  return texts[format]();
}
