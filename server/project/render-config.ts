import nunjucks from "nunjucks";

/** A configuration text with its templates filled in. Values of variables stand in as tokens until YAML is read. */
export type RenderedConfig =
  | { readonly ok: true; readonly text: string; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly reason: string; readonly line: number | null };

/**
 * Jinja as SQLMesh's configuration has it: `{{ env_var('NAME', 'default') }}`, conditions and a few filters. Nunjucks is
 * no sandbox (`''.constructor` leads to code), so the parsed template is checked first: no members, no calls but
 * env_var, nothing that reads files. Values become tokens that are put in after YAML is read: a password with a `#`
 * or a quote in it can't change the document, and no message can show it.
 */
export function renderConfig(text: string, environment: Readonly<Record<string, string | undefined>>): RenderedConfig {
  if (!/\{[{%#]/.test(text)) return { ok: true, text, values: new Map() };
  const values = new Map<string, string>();
  try {
    const tree = templateParser.parse(text, [], {});
    const checked = checkNode(tree, false);
    if (checked.forbidden !== null) return { ok: false, ...checked.forbidden };
    const prefix = unusedPrefix(text);
    const missing: string[] = [];
    const readVariable = (name: unknown, fallback?: unknown): string => {
      const value =
        environment[String(name)] ?? (fallback === undefined || fallback === null ? undefined : String(fallback));
      if (value === undefined) missing.push(String(name));
      // Where a template compares or changes values it must see them; only plain output can be put off.
      if (checked.inspectsValues) return value ?? "";
      const token = `${prefix}${values.size}_`;
      values.set(token, value ?? "");
      return token;
    };
    const engine = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true });
    engine.addGlobal("env_var", readVariable);
    const rendered = engine.renderString(text, {});
    const [first] = missing;
    if (first !== undefined) {
      return {
        ok: false,
        reason: `The environment variable ${first} isn't set, and env_var has no default for it.`,
        line: lineOf(text, first),
      };
    }
    return { ok: true, text: rendered, values };
  } catch (error) {
    const line = typeof error === "object" && error !== null && "lineno" in error ? Number(error.lineno) : 0;
    return {
      ok: false,
      reason: "This template can't be read. Known is {{ env_var('NAME', 'default') }}.",
      line: line > 0 ? line : null,
    };
  }
}

/** The part of nunjucks' own parser that its types leave out (3.2.4, lib/parser and lib/nodes). */
interface TemplateNode {
  readonly typename: string;
  readonly lineno?: number;
  readonly fields: readonly string[];
  readonly [field: string]: unknown;
}

const templateParser = (
  nunjucks as unknown as {
    readonly parser: { parse: (text: string, extensions: unknown[], options: object) => TemplateNode };
  }
).parser;

const HARMLESS = new Set([
  ...["Root", "NodeList", "Output", "TemplateData", "Literal", "Symbol", "Group", "FunCall", "Filter"],
  ...["If", "InlineIf", "Compare", "CompareOperand", "And", "Or", "Not", "Set", "Add", "Concat", "In"],
]);
const HARMLESS_FILTERS = new Set(["default", "lower", "upper", "trim", "int", "string", "replace"]);

interface TemplateCheck {
  readonly forbidden: { readonly reason: string; readonly line: number | null } | null;
  /** A value is used for something else than being written out. */
  readonly inspectsValues: boolean;
}

function checkNode(node: TemplateNode, inOutput: boolean): TemplateCheck {
  const line = node.lineno === undefined ? null : node.lineno + 1;
  const forbid = (what: string): TemplateCheck => ({
    forbidden: {
      reason: `${what} can't stand in a configuration's template. Known is {{ env_var('NAME', 'default') }}.`,
      line,
    },
    inspectsValues: true,
  });
  if (!HARMLESS.has(node.typename)) return forbid(`"${node.typename}"`);
  const name = (node.name as TemplateNode | undefined)?.value;
  if (node.typename === "FunCall" && name !== "env_var") return forbid(`${String(name)}()`);
  if (node.typename === "Filter" && !HARMLESS_FILTERS.has(String(name))) return forbid(`The filter ${String(name)}`);
  let inspectsValues = node.typename === "FunCall" && !inOutput;
  for (const child of childrenOf(node)) {
    const checked = checkNode(child, node.typename === "Output");
    if (checked.forbidden !== null) return checked;
    inspectsValues ||= checked.inspectsValues;
  }
  return { forbidden: null, inspectsValues };
}

function childrenOf(node: TemplateNode): readonly TemplateNode[] {
  const values = Array.isArray(node.children) ? node.children : node.fields.flatMap((field) => node[field]);
  return values.filter(
    (value): value is TemplateNode => typeof value === "object" && value !== null && "typename" in value,
  );
}

function unusedPrefix(text: string): string {
  for (let at = 0; ; at += 1) {
    const prefix = `weirvalue${at}_`;
    if (!text.includes(prefix)) return prefix;
  }
}

function lineOf(text: string, word: string): number | null {
  const at = text.indexOf(word);
  return at === -1 ? null : text.slice(0, at).split("\n").length;
}
