import { and, asc, eq } from "drizzle-orm";
import { AppError } from "../core/base/app-error.ts";
import { compareText } from "../core/base/relation-name.ts";
import { type Environment, PROD } from "../core/environment/environment.ts";
import type { ModelKey } from "../core/model/model-name.ts";
import type { StateFacts } from "../core/plan/facts.ts";
import { promotedModelSchema } from "../core/plan/values-codec.ts";
import type { Session } from "./database.ts";
import { readSnapshots } from "./snapshot-records.ts";
import { fromStored, toStored } from "./stored-json.ts";
import { environmentHistory, environments } from "./tables.ts";
import { readVersionsUsedBy } from "./version-records.ts";

/** Told about rows of others that can't be read: they must not stop whoever doesn't need them. */
export type WarnUnreadable = (error: AppError) => void;

const promotedModels = promotedModelSchema.array();

export async function readStateFacts(
  session: Session,
  warn: WarnUnreadable,
  project: string,
  name: string,
  models: readonly ModelKey[],
): Promise<StateFacts> {
  const all = await readAllEnvironments(session, warn, project);
  const own = all.filter((each) => each.project === project);
  const environment = own.find((each) => each.name === name) ?? emptyEnvironment(project, name);
  const prod = name === PROD ? null : (own.find((each) => each.name === PROD) ?? null);
  const others = all.filter((each) => each !== environment && each !== prod).sort(byProjectAndName);
  const promoted = [...environment.models, ...(prod?.models ?? [])];
  const snapshots = await readSnapshots(
    session,
    promoted.map((each) => each.snapshot),
  );
  const wanted = [...new Set([...models, ...promoted.map((each) => each.model)])];
  const versions = await readVersionsUsedBy(session, project, wanted, own);
  return { environment, prod, others, snapshots, versions };
}

/** Of one project, or of all: then those that can't be read are left out with a warning. */
export async function listEnvironments(
  session: Session,
  warn: WarnUnreadable,
  project: string | null,
): Promise<readonly Environment[]> {
  const list =
    project === null ? await readAllEnvironments(session, warn, null) : await readProjectEnvironments(session, project);
  return [...list].sort(byProjectAndName);
}

/** Oldest first. @throws AppError `state_unreadable`: without one of them it can't be known what is in use. */
export async function readProjectEnvironments(session: Session, project: string): Promise<readonly Environment[]> {
  const rows = await session
    .select()
    .from(environments)
    .where(eq(environments.project, project))
    .orderBy(asc(environments.position));
  return rows.map(fromRow);
}

/** Oldest first. Those that can't be read are a fault in `project`, and left out with a warning elsewhere. */
async function readAllEnvironments(
  session: Session,
  warn: WarnUnreadable,
  project: string | null,
): Promise<readonly Environment[]> {
  const rows = await session.select().from(environments).orderBy(asc(environments.position));
  return rows.flatMap((row) => {
    try {
      return [fromRow(row)];
    } catch (error) {
      if (!(error instanceof AppError) || row.project === project) throw error;
      warn(error);
      return [];
    }
  });
}

/** Moves an environment to its next promotion, only from the one before; says whether it did. */
export async function promoteEnvironment(
  session: Session,
  environment: Environment,
  run: string,
  at: string,
): Promise<boolean> {
  const { project, name, promotion, planId, promotedAt } = environment;
  const models = toStored(environment.models);
  const moved =
    promotion === 1
      ? await session
          .insert(environments)
          .values({ project, name, promotion, planId, promotedAt, models })
          .onConflictDoNothing()
          .returning()
      : await session
          .update(environments)
          .set({ promotion, planId, promotedAt, models })
          .where(
            and(
              eq(environments.project, project),
              eq(environments.name, name),
              eq(environments.promotion, promotion - 1),
            ),
          )
          .returning();
  if (moved.length === 0) return false;
  await session.insert(environmentHistory).values({ project, environment: name, promotion, planId, run, at, models });
  return true;
}

export async function readPromotion(
  session: Session,
  project: string,
  name: string,
): Promise<{ promotion: number; planId: string | null }> {
  const [row] = await session
    .select({ promotion: environments.promotion, planId: environments.planId })
    .from(environments)
    .where(and(eq(environments.project, project), eq(environments.name, name)));
  return row ?? { promotion: 0, planId: null };
}

function emptyEnvironment(project: string, name: string): Environment {
  return { project, name, promotion: 0, planId: null, promotedAt: null, models: [] };
}

function fromRow(row: typeof environments.$inferSelect): Environment {
  const { project, name, promotion, planId, promotedAt } = row;
  const what = `Environment ${name}${project === "" ? "" : ` of project ${project}`}`;
  const models = fromStored(what, row.models, promotedModels);
  return { project, name, promotion, planId, promotedAt, models };
}

function byProjectAndName(a: Environment, b: Environment): number {
  return compareText(a.project, b.project) || compareText(a.name, b.name);
}
