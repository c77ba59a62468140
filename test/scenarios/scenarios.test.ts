import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "../../server/core/plan/plan.ts";
import { decodePlan, encodePlan } from "../../server/core/plan/plan-codec.ts";
import { planResult } from "../../server/core/plan/result.ts";
import { describePlan } from "../../server/core/review/describe-plan.ts";
import type { SqlParser } from "../../server/core/sql/sql-parser.ts";
import { loadSqlParser } from "../../server/engine/postgres/sql-parser.ts";
import { applyTo, emptyWorld, type PlanWish, planOf, type World } from "../builders/plan.ts";
import { projectOf } from "../builders/project.ts";
import { nameTokens } from "../builders/tokens.ts";
import { actByHand } from "./by-hand.ts";
import { printScenario } from "./print-scenario.ts";
import { readScenario, type Scenario } from "./read-scenario.ts";

/** `UPDATE=1 npx vitest run --project scenarios` writes the plans anew; review the difference like any other change. */
const folder = join(import.meta.dirname, "files");
let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

describe.each(
  readdirSync(folder)
    .filter((name) => name.endsWith(".scenario"))
    .sort(),
)("%s", (name) => {
  const path = join(folder, name);
  const scenario = readScenario(readFileSync(path, "utf8"));

  test("gives the plan that stands in it", () => {
    const { plan, world } = run(scenario);
    const printed = print(plan, world);
    if (process.env.UPDATE === "1") writeFileSync(path, `${scenario.head}${printed}`);
    else expect(printed).toBe(scenario.plan);
  });

  test("gives a plan that is sound, reads back as it was written, and leaves nothing to do", () => {
    const { plan, world } = run(scenario);
    expect(decodePlan(encodePlan(plan))).toEqual({ ok: true, value: plan });
    if (planResult(plan.effects) !== "applicable") return;
    const project = projectOf(parser, scenario.after, projectName(scenario));
    const applied = applyTo(world, project, plan, parser);
    const again = planOf(parser, applied, project, Object.fromEntries(scenario.afterShapes), wishOf(scenario));
    expect({
      result: planResult(again.effects),
      blockers: again.effects.blockers,
      actions: again.effects.actions,
    }).toEqual({
      result: "empty",
      blockers: [],
      actions: [],
    });
  });
});

function run(scenario: Scenario): { readonly plan: Plan; readonly world: World } {
  const name = projectName(scenario);
  let world: World = emptyWorld;
  if (scenario.before.size > 0) {
    const before = projectOf(parser, scenario.before, name);
    const first = planOf(parser, world, before, Object.fromEntries(scenario.beforeShapes));
    world = applyTo(world, before, first, parser);
  }
  world = scenario.byHand.reduce(actByHand, world);
  const after = projectOf(parser, scenario.after, name);
  return { plan: planOf(parser, world, after, Object.fromEntries(scenario.afterShapes), wishOf(scenario)), world };
}

function print(plan: Plan, world: World): string {
  return nameTokens(printScenario(describePlan(plan, "open", world.snapshots)));
}

function wishOf(scenario: Scenario): PlanWish {
  const list = (name: string) =>
    (scenario.options.get(name) ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  return {
    environment: scenario.options.get("environment") ?? "prod",
    allowDestructive: list("allow-destructive"),
    accept: list("accept"),
    replaceProject: scenario.options.get("replace-project") === "true",
  };
}

function projectName(scenario: Scenario): string {
  return scenario.options.get("project") ?? "shop";
}
