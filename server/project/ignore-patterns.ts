/** SQLMesh's `ignore_patterns`: pathlib's globs, matched from the end of a relative path (`drafts/*.sql`, `*.tmp.sql`). */
export function isIgnored(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => compile(pattern).test(path));
}

const compiled = new Map<string, RegExp>();

function compile(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let body = "";
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (pattern.startsWith("**/", at)) {
      body += "(?:[^/]+/)*";
      at += 2;
    } else if (pattern.startsWith("**", at)) {
      body += ".*";
      at += 1;
    } else if (character === "*") body += "[^/]*";
    else if (character === "?") body += "[^/]";
    else body += character.replace(/[\\^$.|+()[\]{}]/, "\\$&");
  }
  const expression = new RegExp(`(?:^|/)${body}$`);
  compiled.set(pattern, expression);
  return expression;
}
