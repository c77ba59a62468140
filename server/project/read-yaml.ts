import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  type YAMLError,
} from "yaml";
import { type Place, type Problem, problem } from "../core/base/problem.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import { emptyMap, type Setting, type SettingEntry } from "./setting.ts";

/** Deeper than any configuration; a bound for the recursion below. */
const MAX_DEPTH = 100;

/**
 * Reads one YAML document (1.2, core schema: `yes` is a text, `2024-01-01` too) with the line of every value.
 * `values` are tokens of a rendered template and what they stand for. Messages are ours: the library's can quote the file.
 */
export function readYaml(path: string, text: string, values: ReadonlyMap<string, string> = new Map()): Result<Setting> {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: true, merge: true, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { path, line: line === 0 ? 1 : line, column: values.size === 0 && col > 0 ? col : null };
  };
  if (!Array.isArray(documents) || documents.length === 0) return ok(emptyMap(placeAt(0)));
  const [document, second] = documents;
  const errors = documents.flatMap((each) => each.errors);
  const problems = errors.map((error) =>
    problem("config_invalid", { reason: yamlSentence(error, text) }, placeAt(error.pos[0])),
  );
  if (second !== undefined) {
    problems.push(
      problem(
        "config_invalid",
        { reason: "There are several YAML documents in this file; one is expected." },
        placeAt(second.range[0]),
      ),
    );
  }
  if (problems.length > 0) return failed(...problems.slice(0, 1));
  const found: Problem[] = [];
  const reader = new SettingReader(placeAt, values, found, (alias) =>
    isAlias(alias) && document !== undefined ? alias.resolve(document) : undefined,
  );
  const setting = document?.contents == null ? emptyMap(placeAt(0)) : reader.read(document.contents as ParsedNode, 0);
  return found.length > 0 ? failed(...found) : ok(setting);
}

class SettingReader {
  constructor(
    private readonly placeAt: (offset: number) => Place,
    private readonly values: ReadonlyMap<string, string>,
    private readonly problems: Problem[],
    private readonly resolve: (alias: Node) => Node | undefined,
  ) {}

  read(node: Node | null | undefined, depth: number): Setting {
    const place = this.placeAt(node?.range?.[0] ?? 0);
    const nothing: Setting = { kind: "scalar", value: null, place };
    if (node == null) return nothing;
    if (depth > MAX_DEPTH) {
      this.problems.push(problem("config_invalid", { reason: "This is nested too deeply." }, place));
      return nothing;
    }
    if (isAlias(node)) return this.read(this.resolve(node), depth + 1);
    if (isSeq(node))
      return { kind: "list", items: node.items.map((item) => this.read(item as Node | null, depth + 1)), place };
    if (isMap(node)) {
      const entries = new Map<string, SettingEntry>();
      for (const pair of node.items) {
        const key = this.fill(isScalar(pair.key) ? String(pair.key.value ?? "") : "");
        const keyPlace = this.placeAt((pair.key as Node | null)?.range?.[0] ?? 0);
        entries.set(key, { key, place: keyPlace, value: this.read(pair.value as Node | null, depth + 1) });
      }
      return { kind: "map", entries, place };
    }
    if (!isScalar(node)) return nothing;
    const { value } = node;
    if (typeof value === "string") return { kind: "scalar", value: this.fill(value), place };
    // A number keeps its spelling, so that a version or a date never loses a zero.
    if (typeof value === "number" || typeof value === "bigint")
      return { kind: "scalar", value: node.source ?? String(value), place };
    return { kind: "scalar", value: typeof value === "boolean" ? value : null, place };
  }

  private fill(text: string): string {
    let filled = text;
    for (const [token, value] of this.values) filled = filled.replaceAll(token, () => value);
    return filled;
  }
}

const TAB = "There is a tab in the indentation; YAML takes spaces only.";
const NEVER_CLOSED = "Something that was opened before this is never closed: a quote, a bracket or a colon is missing.";

function yamlSentence(error: YAMLError, text: string): string {
  // Tabs are reported under several codes, depending on what stands before them.
  const lineStart = text.lastIndexOf("\n", error.pos[0] - 1) + 1;
  if (/^ *\t/.test(text.slice(lineStart, error.pos[1]))) return TAB;
  switch (error.code) {
    case "DUPLICATE_KEY":
      return "This key is given twice.";
    case "TAB_AS_INDENT":
      return TAB;
    case "BAD_INDENT":
      // The library has one code for a wrong indentation and for a bracket that is still open at it.
      return error.message.startsWith("Flow ") ? NEVER_CLOSED : "The indentation is wrong here.";
    case "MISSING_CHAR":
      return NEVER_CLOSED;
    case "MULTIPLE_DOCS":
      return "There are several YAML documents in this file; one is expected.";
    case "BAD_ALIAS":
      return "A * begins an alias in YAML. Put the text in quotes.";
    case "TAG_RESOLVE_FAILED":
      return "An ! begins a tag in YAML, and this one isn't known. Put the text in quotes.";
    case "BAD_SCALAR_START":
      return "A text can't begin with this sign. Put it in quotes.";
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return "This isn't valid YAML: a key: value was expected. Is the text to be put in quotes?";
    default:
      return "This isn't valid YAML.";
  }
}
