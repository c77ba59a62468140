import "server-only";
import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import sql from "shiki/langs/sql.mjs";

/** A piece of one line; `kind` is a class of diff.css, empty for plain text. */
export interface Token {
  readonly text: string;
  readonly kind: "kw" | "st" | "nu" | "co" | "fn" | "";
}

// The theme's colours are only names: each stands for a class, and the style sheet knows both themes.
const kinds: readonly (readonly [string, Token["kind"], readonly string[]])[] = [
  ["#000001", "kw", ["keyword", "storage"]],
  ["#000002", "st", ["string"]],
  ["#000003", "nu", ["constant.numeric", "constant.language"]],
  ["#000004", "co", ["comment"]],
  ["#000005", "fn", ["support.function", "entity.name.function"]],
];

let highlighter: Promise<HighlighterCore> | null = null;

function open(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    langs: [sql],
    engine: createJavaScriptRegexEngine(),
    themes: [
      {
        name: "weir",
        type: "light",
        fg: "#000000",
        bg: "#ffffff",
        settings: kinds.map(([foreground, , scope]) => ({ scope: [...scope], settings: { foreground } })),
      },
    ],
  });
  return highlighter;
}

const classOf = new Map(kinds.map(([colour, kind]) => [colour.toLowerCase(), kind]));

/** Beyond this a text is shown plain: colouring would cost more than it tells. */
const LONGEST = 200_000;

export async function highlightSql(text: string): Promise<readonly (readonly Token[])[]> {
  if (text.length > LONGEST) return text.split("\n").map((line) => [{ text: line, kind: "" }]);
  const lines = (await open()).codeToTokensBase(text, { lang: "sql", theme: "weir" });
  return lines.map((line) =>
    line.flatMap(({ content, color }) => headerWords(content, classOf.get(color?.toLowerCase() ?? "") ?? "")),
  );
}

const header = /\b(MODEL|AUDIT|VIRTUAL|JINJA_QUERY_BEGIN|JINJA_END)\b/;

/** The project's own header words, which no SQL grammar knows. */
function headerWords(text: string, kind: Token["kind"]): readonly Token[] {
  const found = kind === "" ? header.exec(text) : null;
  if (found === null) return [{ text, kind }];
  const end = found.index + found[0].length;
  const all: readonly Token[] = [
    { text: text.slice(0, found.index), kind: "" },
    { text: found[0], kind: "kw" },
    { text: text.slice(end), kind: "" },
  ];
  return all.filter((token) => token.text !== "");
}
