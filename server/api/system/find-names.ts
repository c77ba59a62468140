import { z } from "zod";
import { list } from "../list-schema.ts";
import type { Operations } from "../operations.ts";
import { planTitle } from "../plans/plan-card.ts";
import { procedure } from "../trpc.ts";

const hit = z.object({
  kind: z.enum(["plan", "environment", "object"]),
  label: z.string(),
  where: z.string(),
  /** What a link needs: a plan's id, or an environment and an object in it. */
  plan: z.string().nullable(),
  environment: z.string().nullable(),
  object: z.string().nullable(),
});
type Hit = z.infer<typeof hit>;

const LIMIT = 12;

/** Plans, environments and served objects whose name holds the text, whatever its case; whole beginnings first. */
export const findNames = procedure
  .input(z.object({ text: z.string().max(400) }))
  .output(list(hit))
  .query(async ({ ctx, input }) => {
    const text = fold(input.text.trim());
    if (text === "") return [];
    const found = (await candidates(ctx.operations)).filter(({ label }) => holds(label, text));
    const rank = (each: Hit) => (bare(each.label).startsWith(text) ? 0 : 1);
    return found.sort((a, b) => rank(a) - rank(b) || a.label.length - b.label.length).slice(0, LIMIT);
  });

async function candidates(operations: Operations): Promise<Hit[]> {
  const plans = await operations.listPlans({ environment: null, states: null, limit: 200 });
  const environments = await operations.listEnvironments();
  return [
    ...environments.flatMap(({ name, models }): Hit[] => [
      {
        kind: "environment",
        label: name,
        where: `${models.length} models`,
        plan: null,
        environment: name,
        object: null,
      },
      ...models.map(
        ({ model }): Hit => ({
          kind: "object",
          label: model,
          where: name,
          plan: null,
          environment: name,
          object: model,
        }),
      ),
    ]),
    ...plans.map(
      ({ view, state }): Hit => ({
        kind: "plan",
        label: planTitle(view),
        where: `${view.id}, ${state}`,
        plan: view.id,
        environment: view.environment,
        object: null,
      }),
    ),
  ];
}

/** Quotes belong to the spelling, not to the name: `sales.top` finds `"Sales"."Top.10"`. */
function bare(label: string): string {
  return fold(label.replaceAll('"', ""));
}

/** Up and down again, so that ß and SS are one, too. */
function fold(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase();
}

function holds(label: string, text: string): boolean {
  return fold(label).includes(text) || bare(label).includes(text);
}
