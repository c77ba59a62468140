import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { relationName } from "../core/base/relation-name.ts";
import type { Environment, KnownVersion } from "../core/environment/environment.ts";
import type { ModelKey } from "../core/model/model-name.ts";
import { knownVersionSchema } from "../core/plan/values-codec.ts";
import { inChunks } from "./chunks.ts";
import type { Session } from "./database.ts";
import { checkStored, parseJson, toStored } from "./stored-json.ts";
import { versionHistory, versions } from "./tables.ts";
import { type VersionUsage, versionUsage } from "./version-usage.ts";

type VersionRow = typeof versions.$inferSelect;

/** In the order they became known. `environments`: all of the project, oldest first. */
export async function readVersionsUsedBy(
  session: Session,
  project: string,
  models: readonly ModelKey[],
  environments: readonly Environment[],
): Promise<readonly KnownVersion[]> {
  const usage = versionUsage(environments);
  const rows: VersionRow[] = [];
  for (const chunk of inChunks(models)) {
    const found = await session
      .select()
      .from(versions)
      .where(and(eq(versions.project, project), inArray(versions.model, [...chunk])))
      .orderBy(asc(versions.position));
    rows.push(...found);
  }
  rows.sort((a, b) => a.position - b.position);
  return rows.map((row) => fromRow(row, usage(row.model, row.version)));
}

/** Records versions as they are now, each time in the history too. */
export async function saveVersions(session: Session, run: string, list: readonly KnownVersion[]): Promise<void> {
  const key = [versions.project, versions.model, versions.lookupKey, versions.version];
  const changes = {
    kind: excluded("kind"),
    partitionedBy: excluded("partitioned_by"),
    relationSchema: excluded("relation_schema"),
    relationName: excluded("relation_name"),
    definition: excluded("definition"),
    content: excluded("content"),
    columns: excluded("columns"),
    pristine: excluded("pristine"),
    filled: excluded("filled"),
    preview: excluded("preview"),
  };
  for (const chunk of inChunks(list)) {
    const rows = await session
      .insert(versions)
      .values(chunk.map(toRow))
      .onConflictDoUpdate({ target: key, set: changes })
      .returning();
    await noteHistory(session, run, rows);
  }
}

function excluded(column: string): SQL {
  return sql`excluded.${sql.identifier(column)}`;
}

async function noteHistory(session: Session, run: string, rows: readonly VersionRow[]): Promise<void> {
  if (rows.length === 0) return;
  const notes = rows.map(({ project, model, lookupKey, version, position: _, ...body }) => ({
    project,
    model,
    lookupKey,
    version,
    run,
    body: toStored(body),
  }));
  await session.insert(versionHistory).values(notes);
}

function toRow(version: KnownVersion): typeof versions.$inferInsert {
  const { project, model, lookupKey, kind, definition, content, pristine, filled, preview, relation } = version;
  return {
    project,
    model,
    lookupKey,
    version: version.version,
    kind,
    partitionedBy: toStored(version.partitionedBy),
    relationSchema: relation.schema,
    relationName: relation.name,
    definition,
    content,
    columns: toStored(version.columns),
    pristine,
    filled,
    preview,
  };
}

function fromRow(row: VersionRow, usage: VersionUsage): KnownVersion {
  const { position: _, relationSchema, relationName: name, ...columns } = row;
  const what = `Version ${row.version} of model ${row.model}`;
  const version = {
    ...columns,
    partitionedBy: parseJson(what, row.partitionedBy),
    columns: parseJson(what, row.columns),
    relation: relationName(relationSchema, name),
    ...usage,
  };
  return checkStored(what, version, knownVersionSchema);
}
