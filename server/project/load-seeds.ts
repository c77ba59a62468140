import { posix } from "node:path";
import { type Place, type Problem, problem } from "../core/base/problem.ts";
import { placeAt } from "../core/base/source-file.ts";
import type { SeedPart } from "../core/model/build-project.ts";
import type { ModelKey } from "../core/model/model-name.ts";
import type { ReadModel } from "../core/model/read-model.ts";
import { readSeed } from "../core/model/read-seed.ts";
import type { SeedRequest } from "../core/model/seed-request.ts";
import type { SeedRows } from "../ports/project-source.ts";
import { decodeText, readBytes, type TextReading } from "./files.ts";
import { readCsv } from "./read-csv.ts";

const MAX_SEED_BYTES = 100_000_000;

export interface LoadedSeeds {
  readonly parts: ReadonlyMap<ModelKey, SeedPart>;
  /** Rows by the hash of their content. */
  readonly rows: ReadonlyMap<string, SeedRows>;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Reads the CSV file of every SEED model. Faults stand in the CSV file, or at the path in the model that names it. */
export async function loadSeeds(root: string, models: readonly ReadModel[]): Promise<LoadedSeeds> {
  const parts = new Map<ModelKey, SeedPart>();
  const rows = new Map<string, SeedRows>();
  const files: { readonly path: string; readonly content: string }[] = [];
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const model of models) {
    if (model.kind.kind !== "seed") continue;
    const request = model.kind.seed;
    const path = seedPath(model.path, request);
    const named = placeAt(model.file, request.at);
    const text = path === null ? outside(request, named) : await readSeedText(root, path, request, named);
    if (!text.ok) {
      problems.push(text.problem);
      continue;
    }
    const csv = readCsv(text.file.text, request.csv);
    if (!csv.ok) {
      problems.push(
        problem("seed_invalid", { reason: csv.reason }, { path: text.file.path, line: csv.line, column: null }),
      );
      continue;
    }
    const seed = readSeed({ path: text.file.path, records: csv.records, csv: request.csv, declared: model.columns });
    if (!seed.ok) {
      problems.push(...seed.problems);
      continue;
    }
    const { columns, content } = seed.value;
    const source = {
      path: text.file.path,
      content,
      columns: seed.value.rows.columns,
      rows: seed.value.rows.rows.length,
    };
    parts.set(model.key, { source, columns });
    rows.set(content, seed.value.rows);
    files.push({ path: text.file.path, content });
    warnings.push(...seed.value.warnings);
  }
  return { parts, rows, files, problems, warnings };
}

/** Relative to the project; null for a path that leaves it. */
function seedPath(modelPath: string, request: SeedRequest): string | null {
  const written = request.path.replaceAll("\\", "/");
  const fromRoot = /^\$root\//i.exec(written);
  const joined =
    fromRoot === null
      ? posix.join(posix.dirname(modelPath), written)
      : posix.normalize(written.slice(fromRoot[0].length));
  return posix.isAbsolute(written) || joined === ".." || joined.startsWith("../") ? null : joined;
}

function outside(request: SeedRequest, place: Place): { readonly ok: false; readonly problem: Problem } {
  return {
    ok: false,
    problem: problem("seed_invalid", { reason: `The seed's file ${request.path} lies outside the project.` }, place),
  };
}

async function readSeedText(root: string, path: string, request: SeedRequest, named: Place): Promise<TextReading> {
  const bytes = await readBytes(root, path, MAX_SEED_BYTES);
  if (bytes.ok) return decodeText(path, bytes.bytes, request.csv.encoding);
  const reason = bytes.problem.code === "file_unreadable" ? bytes.problem.reason : "unknown error";
  return {
    ok: false,
    problem: problem("seed_invalid", { reason: `The seed's file ${path} can't be read: ${reason}.` }, named),
  };
}
