import type { Span } from "./diff-lines.ts";
import type { Token } from "./highlight-sql.ts";

/** A highlighted line, with the part that changed marked. */
export function SqlLine({ tokens, mark }: { readonly tokens: readonly Token[]; readonly mark?: Span | null }) {
  const pieces = mark === undefined || mark === null || mark[0] >= mark[1] ? [tokens] : cut(tokens, mark);
  return pieces.map((piece, index) =>
    index === 1 ? (
      <mark key="mark">
        <Tokens tokens={piece} />
      </mark>
    ) : (
      <Tokens key={index === 0 ? "before" : "after"} tokens={piece} />
    ),
  );
}

function Tokens({ tokens }: { readonly tokens: readonly Token[] }) {
  let offset = 0;
  return tokens.map(({ text, kind }) => {
    const key = offset;
    offset += text.length;
    return kind === "" ? (
      text
    ) : (
      <span key={key} className={kind}>
        {text}
      </span>
    );
  });
}

function cut(tokens: readonly Token[], [from, to]: Span): readonly (readonly Token[])[] {
  const pieces: [Token[], Token[], Token[]] = [[], [], []];
  let offset = 0;
  for (const { text, kind } of tokens) {
    const end = offset + text.length;
    const parts = [
      text.slice(0, Math.max(0, from - offset)),
      text.slice(Math.max(0, from - offset), Math.max(0, to - offset)),
      text.slice(Math.max(0, to - offset)),
    ];
    parts.forEach((part, index) => {
      if (part !== "") pieces[index as 0 | 1 | 2].push({ text: part, kind });
    });
    offset = end;
  }
  return pieces;
}
