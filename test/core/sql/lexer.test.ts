import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lexSql } from "../../../server/core/sql/lexer.ts";

/** `kind:text` of each token, a fault at the end. */
function lex(sql: string): string {
  const { tokens, fault } = lexSql(sql);
  const parts = tokens.map((token) => `${token.kind}:${sql.slice(token.start, token.end)}`);
  return [...parts, ...(fault === null ? [] : [`fault@${fault.offset}`])].join(" | ");
}

const cases: readonly (readonly [sql: string, tokens: string])[] = [
  ["a B_1$", "word:a | word:B_1$"],
  ["größe", "word:größe"],
  ['"a""b" "x;y"', 'quoted:"a""b" | quoted:"x;y"'],
  ["'it''s' ';'", "string:'it''s' | string:';'"],
  ["E'a\\'b' 'a\\'", "string:E'a\\'b' | string:'a\\'"],
  [
    "B'01' x'ff' N'n' U&'\\0041' U&\"d\\0061\"",
    "string:B'01' | string:x'ff' | string:N'n' | string:U&'\\0041' | quoted:U&\"d\\0061\"",
  ],
  ["e.x u&1", "word:e | punctuation:. | word:x | word:u | operator:& | number:1"],
  ["$$a;'b$$ $t$ $$ $t$", "string:$$a;'b$$ | string:$t$ $$ $t$"],
  ["$1 + $22", "parameter:$1 | operator:+ | parameter:$22"],
  ["a -- b;\nc", "word:a | line_comment:-- b; | word:c"],
  ["a /* b /* c */ ; */ d", "word:a | block_comment:/* b /* c */ ; */ | word:d"],
  ["1 1.5 .5 1e-3 0xFF 1_000", "number:1 | number:1.5 | number:.5 | number:1e-3 | number:0xFF | number:1_000"],
  [
    "a[1:2]::int",
    "word:a | punctuation:[ | number:1 | punctuation:: | number:2 | punctuation:] | punctuation::: | word:int",
  ],
  ["a<>-1", "word:a | operator:<> | operator:- | number:1"],
  ["a-- b", "word:a | line_comment:-- b"],
  ["a*/* c */b", "word:a | operator:* | block_comment:/* c */ | word:b"],
  ["@this_model", "macro:@this_model"],
  ["@{x}_y", "macro:@{x} | word:_y"],
  ["@IF(a, b)", "macro:@IF | punctuation:( | word:a | punctuation:, | word:b | punctuation:)"],
  ["a=@x", "word:a | operator:= | macro:@x"],
  ["'@x'", "string:'@x'"],
  ["-- @x", "line_comment:-- @x"],
  ["@ -5", "operator:@ | operator:- | number:5"],
  ["a @> b", "word:a | operator:@> | word:b"],
  ["a<@b", "word:a | operator:<@ | word:b"],
  ["a @@ b", "word:a | operator:@@ | word:b"],
  ["a @@to_tsquery('x')", "word:a | operator:@@ | word:to_tsquery | punctuation:( | string:'x' | punctuation:)"],
  ["a @? '$.b'", "word:a | operator:@? | string:'$.b'"],
  ["a ^@ 'x' and a^@b", "word:a | operator:^@ | string:'x' | word:and | word:a | operator:^@ | word:b"],
  ["{{ a }}", "other:{ | other:{ | word:a | other:} | other:}"],
  ["a 'b", "word:a | fault@2"],
  ['a "b', "word:a | fault@2"],
  ["a $x$ b", "word:a | fault@2"],
  ["a /* /* */", "word:a | fault@2"],
  ["a @{b", "word:a | fault@2"],
];

describe("cutting SQL into tokens", () => {
  it.each(cases)("%s", (sql, tokens) => {
    expect(lex(sql)).toBe(tokens);
  });

  const ugly = fc.string({
    unit: fc.constantFrom(
      ...[
        "'",
        '"',
        "$",
        "$$",
        "$a$",
        "/*",
        "*/",
        "--",
        "\n",
        "\r",
        " ",
        "@",
        "@x",
        "@{",
        "}",
        "E'",
        "U&'",
        "\\",
        "(",
        ")",
        ";",
        "a",
        "1",
        ".",
        "é",
        "😀",
        "\0",
        "{{",
        "%}",
      ],
    ),
    maxLength: 60,
  });

  it("never throws, and loses nothing but white space", () => {
    fc.assert(
      fc.property(fc.oneof(ugly, fc.string({ unit: "binary" })), (sql) => {
        const { tokens, fault } = lexSql(sql);
        let at = 0;
        for (const token of tokens) {
          expect(token.start).toBeGreaterThanOrEqual(at);
          expect(token.end).toBeGreaterThan(token.start);
          expect(sql.slice(at, token.start)).toMatch(/^[ \t\n\r\f\v]*$/);
          at = token.end;
        }
        if (fault === null) expect(sql.slice(at)).toMatch(/^[ \t\n\r\f\v]*$/);
        else expect(fault.offset).toBeGreaterThanOrEqual(at);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes a time that grows with the text, not with its square", () => {
    for (const part of ["'a' ", "/* a */", "@x ", "a.b(", "$1 ", "-- x\n", "<@>@"]) {
      // With a square in it, each of these would outlast the test's own limit many times over.
      expect(lexSql(part.repeat(200_000)).tokens.length, part).toBeGreaterThan(0);
    }
  });
});
