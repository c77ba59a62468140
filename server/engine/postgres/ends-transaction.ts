/**
 * Whether a statement would end or nest the transaction that it is sent in. A plan's statements come one at a time, so
 * their first word decides; what hides in a DO block or a procedure the server refuses itself (2D000).
 */
export function endsTransaction(sql: string): boolean {
  const [first = "", second = ""] = withoutComments(sql)
    .toLowerCase()
    .split(/[^a-z]+/, 2);
  return FIRST_WORDS.has(first) || (first === "prepare" && second === "transaction");
}

const FIRST_WORDS = new Set(["begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"]);

function withoutComments(sql: string): string {
  let text = sql.trimStart();
  for (;;) {
    if (text.startsWith("--")) text = afterLine(text);
    else if (text.startsWith("/*")) text = afterBlock(text);
    else return text;
    text = text.trimStart();
  }
}

function afterLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? "" : text.slice(end + 1);
}

/** Block comments nest in PostgreSQL. */
function afterBlock(text: string): string {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.startsWith("/*", index)) {
      depth += 1;
      index += 1;
    } else if (text.startsWith("*/", index)) {
      depth -= 1;
      index += 1;
      if (depth === 0) return text.slice(index + 1);
    }
  }
  return "";
}
