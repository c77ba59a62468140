import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApplyWorld, createApplyWorld } from "./apply-world.ts";
import { smallAfter, smallBefore } from "./crash-project.ts";
import { expectApplied } from "./expect-applied.ts";
import { interceptWarehouse } from "./intercept.ts";
import { readEndState } from "./read-end-state.ts";
import { endAdmin } from "./world.ts";

let place: ApplyWorld;

beforeAll(async () => {
  place = await createApplyWorld("ended", smallBefore, smallAfter);
});

afterAll(async () => {
  await place.drop();
  await endAdmin();
});

test("a session that is ended at any statement of the promotion costs a second try and nothing else", {
  timeout: 600_000,
}, async () => {
  const { world, plan, whole, apply, restore } = place;
  let statements = 1;
  for (let at = 1; at <= statements; at += 1) {
    await restore();
    const admin = await world.connect("administrator");
    const promotion = new Set<number>();
    let seen = 0;
    // Statements that ask and set have no tag: what counts is all that is sent in the promotion's session.
    const watching = interceptWarehouse((sql, pid) => {
      if (/stage=promotion/.test(sql)) promotion.add(pid);
      if (/stage=(?!promotion)/.test(sql)) promotion.delete(pid);
      if (!promotion.has(pid)) return null;
      seen += 1;
      if (seen !== at) return null;
      const ended = admin.query("SELECT pg_terminate_backend($1)", [pid]).then(() => undefined);
      // In turn: the statement finds the session gone, or is on its way while it goes.
      return at % 2 === 0 ? { before: ended } : { after: ended };
    });
    try {
      const applied = await apply();
      expect(applied.message, `statement ${at}`).toBeNull();
      statements = Math.max(statements, at === 1 ? seen : 0);
    } finally {
      watching.restore();
      await admin.end();
    }
    await expectApplied(world, plan);
    expect(await readEndState(world), `statement ${at}`).toEqual(whole);
  }
  console.log(`the session was ended at ${statements} statements, one after another`);
  expect(statements).toBeGreaterThan(20);
});

test("ended twice in a row the run fails, readers have what they had, and resuming completes it", async () => {
  const { world, plan, old, whole, apply, restore } = place;
  await restore();
  const admin = await world.connect("administrator");
  const watching = interceptWarehouse((sql, pid) =>
    /stage=promotion.*COMMIT/.test(sql)
      ? { before: admin.query("SELECT pg_terminate_backend($1)", [pid]).then(() => undefined) }
      : null,
  );
  try {
    expect((await apply()).codes).toEqual(["engine_unreachable"]);
  } finally {
    watching.restore();
    await admin.end();
  }
  expect(
    (await world.query<{ state: string }>("SELECT state FROM weir.plans WHERE id = $1", [plan.id]))[0]?.state,
  ).toBe("failed");
  expect(await world.query("SELECT FROM pg_views WHERE viewname = 'gone'")).toHaveLength(1);
  expect(Object.keys(old)).toContain("shop.gone");
  expect((await apply({ resume: true })).message).toBeNull();
  await expectApplied(world, plan);
  expect(await readEndState(world)).toEqual(whole);
});
