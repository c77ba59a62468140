import type { Problem } from "../base/problem.ts";
import { byteLength, displayIdentifier, MAX_IDENTIFIER_BYTES } from "../base/relation-name.ts";
import { Findings, placeAt, type SourceFile } from "../base/source-file.ts";
import { splitModelFile } from "../sql/model-file.ts";
import { checkHeader } from "./check-header.ts";
import { findColumnComments } from "./column-comments.ts";
import { type Model, type ModelStatement, type Reference, THIS_MODEL } from "./model.ts";
import type { ModelDefaults } from "./model-defaults.ts";
import { kindCapabilities } from "./model-kind.ts";
import { type ModelName, modelKey } from "./model-name.ts";
import { type Header, type Placed, readHeader } from "./read-header.ts";
import type { DeclaredKind } from "./read-kind.ts";
import {
  type ReadStatement,
  type ReadStatements,
  readStatements,
  type StatementContext,
  statementWord,
} from "./read-statements.ts";

/** A model as one file tells it: what it reads isn't looked up yet, and a seed's rows aren't there. */
export interface ReadModel extends Omit<Model, "kind" | "references"> {
  readonly kind: DeclaredKind;
  readonly references: readonly Omit<Reference, "model">[];
  readonly file: SourceFile;
  /** String index of the name, for faults about the model as a whole. */
  readonly nameAt: number;
}

export interface ModelReading {
  /** Null for a file that is empty, disabled or broken. */
  readonly model: ReadModel | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export interface ModelContext extends StatementContext {
  readonly defaults: ModelDefaults;
}

const KNOWN_DIALECTS = new Set(["postgres", "postgresql", ""]);

export function readModel(file: SourceFile, context: ModelContext): ModelReading {
  const findings = new Findings(file);
  const model = read(file, context, findings);
  return {
    model: findings.problems.length === 0 ? model : null,
    problems: findings.problems,
    warnings: findings.warnings,
  };
}

function read(file: SourceFile, context: ModelContext, findings: Findings): ReadModel | null {
  const parts = splitModelFile(file, findings);
  if (parts === null) return null;
  const header = readHeader(file, parts.header, context.defaults, findings);
  if (!header.enabled) {
    findings.problems.length = 0;
    findings.warnings.length = 0;
    return null;
  }
  if (!KNOWN_DIALECTS.has(header.dialect.value)) {
    findings.unsupported(`The dialect ${header.dialect.value}`, "Models are written in postgres.", header.dialect.at);
    return null;
  }
  const statements = readStatements(parts, context, findings);
  const name = readName(header.name, parts.header.start, context, findings);
  const kind = header.kind;
  if (kind !== null) {
    checkQueryFits(kind, statements, parts.header.start, findings);
    checkHeader(header, kind, context.parser, findings);
  }
  for (const audit of parts.audits) findings.warn("Audits are recorded but not run yet.", audit.start);
  if (name === null || kind === null) return null;
  const { query } = statements;
  return {
    key: modelKey(name),
    name,
    kind: kind.value,
    dialect: "postgres",
    path: file.path,
    text: file.text,
    query: query === null ? null : { expanded: query.text, place: placeAt(file, query.start) },
    preStatements: statements.pre.map((each) => toStatement(file, each)),
    postStatements: statements.post.map((each) => toStatement(file, each)),
    columns: header.columns?.value ?? null,
    partitionedBy: header.partitionedBy.map((each) => each.value),
    metadata: {
      owner: header.owner,
      description: header.description ?? parts.comment,
      columnDescriptions: {
        ...(query === null ? {} : columnComments(file, query)),
        ...header.columnDescriptions,
      },
      tags: header.tags,
      cron: header.cron,
      cronTz: header.cronTz,
      start: header.start,
      end: header.end,
      stamp: header.stamp,
      other: { ...header.labels, ...inlineAudits(parts.audits.map((each) => file.text.slice(each.start, each.end))) },
    },
    physicalProperties: header.physicalProperties.value,
    virtualProperties: header.virtualProperties,
    references: collectReferences(file, name, query, header, context, findings),
    file,
    nameAt: header.name?.at ?? parts.header.start,
  };
}

/** A comment behind the very last column lies outside the statement, up to the end of its line. */
function columnComments(file: SourceFile, query: ReadStatement): { readonly [column: string]: string } {
  const behind = /^[ \t]*(--|\/\*)[^\r\n]*/.exec(file.text.slice(query.end));
  return findColumnComments(query.parsed.text + (behind?.[0] ?? ""), query.node);
}

function toStatement(file: SourceFile, statement: ReadStatement): ModelStatement {
  return { expanded: statement.text, place: placeAt(file, statement.start) };
}

function inlineAudits(texts: readonly string[]): { readonly [property: string]: string } {
  return texts.length === 0 ? {} : { inline_audits: texts.join(";\n") };
}

function readName(
  name: Placed<readonly string[]> | null,
  headerAt: number,
  context: ModelContext,
  findings: Findings,
): ModelName | null {
  if (name === null) {
    findings.invalid("The model has no name. Add one to its header: MODEL (name schema.model).", headerAt);
    return null;
  }
  return toModelName(name, "model", context, findings);
}

/** Null for names that can't be one; the faults of reading them are reported already. */
function toModelName(
  name: Placed<readonly string[]>,
  what: string,
  context: ModelContext,
  findings: Findings,
): ModelName | null {
  const parts = name.value;
  const own = parts.at(-1);
  if (own === undefined) return null;
  const written = parts.map(displayIdentifier).join(".");
  if (parts.length > 3) {
    findings.invalid(`The name ${written} has ${parts.length} parts; a ${what} has at most three.`, name.at);
    return null;
  }
  const catalog = parts.at(-3);
  if (catalog !== undefined && context.database !== null && catalog !== context.database) {
    findings.invalid(
      `${written} is in the database ${catalog}, and this gateway's is ${context.database}. Take the first part away.`,
      name.at,
    );
    return null;
  }
  const long = parts.find((part) => byteLength(part) > MAX_IDENTIFIER_BYTES);
  if (long !== undefined) {
    findings.invalid(
      `The name ${long} has ${byteLength(long)} bytes; Postgres keeps ${MAX_IDENTIFIER_BYTES}. Choose a shorter one.`,
      name.at,
    );
    return null;
  }
  return { schema: parts.at(-2) ?? null, name: own };
}

function checkQueryFits(
  kind: Placed<DeclaredKind>,
  statements: ReadStatements,
  headerAt: number,
  findings: Findings,
): void {
  const { label, relation } = kindCapabilities[kind.value.kind];
  const { query, pre, post } = statements;
  const [beside] = [...pre, ...post];
  if (relation === null && query !== null && beside !== undefined) {
    const word = statementWord(beside);
    findings.invalid(`An ${label} model is never built, so this ${word} would never run. Take it out.`, beside.start);
  }
  if (kind.value.kind === "seed") {
    if (query !== null) findings.invalid("A SEED has no query; its rows come from its file.", query.start);
    return;
  }
  if (query !== null || !statements.complete) return;
  const [only, second] = pre;
  if (only !== undefined && second === undefined) {
    findings.invalid(`A model's query is a SELECT; ${statementWord(only)} can't be one.`, only.start);
  } else {
    findings.invalid(`This ${label} model has no query. A SELECT must follow its header.`, headerAt);
  }
}

function collectReferences(
  file: SourceFile,
  own: ModelName,
  query: ReadStatement | null,
  header: Header,
  context: ModelContext,
  findings: Findings,
): ReadModel["references"] {
  const found = new Map<string, ReadModel["references"][number]>();
  const add = (relation: ModelName, at: number, star: boolean): void => {
    const key = modelKey(relation);
    const known = found.get(key);
    if (known === undefined) found.set(key, { relation, place: placeAt(file, at), star });
    else if (star && !known.star) found.set(key, { ...known, star });
  };
  for (const { schema, name, at, star } of query?.mentions ?? []) {
    // `@this_model` in a query reads the model itself, like its name.
    const itself = schema === THIS_MODEL.schema && name === THIS_MODEL.name;
    add(itself ? own : { schema, name }, at, star);
  }
  for (const needed of header.dependsOn) {
    const name = toModelName(needed, "relation", context, findings);
    // SQLMesh drops a model's own name from depends_on.
    if (name !== null && modelKey(name) !== modelKey(own)) add(name, needed.at, false);
  }
  return [...found.values()];
}
