/** What a cell of a seed becomes in a column of a type: text for COPY in the server's own spelling, or NULL. */
export type SeedValue =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly reason: string };

type TypeFamily = "boolean" | "integer" | "number" | "date" | "text" | "other";

export function checkSeedValue(text: string, type: string, nulls: ReadonlySet<string>): SeedValue {
  if (nulls.has(text)) return { ok: true, value: null };
  const family = familyOf(type);
  if (family === "text") return { ok: true, value: text };
  const trimmed = text.trim();
  if (trimmed === "" || nulls.has(trimmed)) return { ok: true, value: null };
  switch (family) {
    case "boolean":
      return TRUE.test(trimmed) ? valid("true") : FALSE.test(trimmed) ? valid("false") : wrong(text, "true or false");
    case "integer":
      return fitsInteger(trimmed, type) ? valid(trimmed) : wrong(text, `${type}`);
    case "number":
      return NUMBER.test(trimmed) ? valid(trimmed) : wrong(text, "a number");
    case "date":
      return isDate(trimmed) ? valid(trimmed) : wrong(text, "a date written YYYY-MM-DD");
    case "other":
      return valid(trimmed);
  }
}

/** For columns that nobody declared: whole numbers, numbers and booleans are told from text, as pandas does; dates are text. */
export function suggestType(values: readonly string[], nulls: ReadonlySet<string>): string {
  const present = values.filter((value) => !nulls.has(value));
  if (present.length === 0) return "text";
  // A leading zero is part of a code, such as a postal one, and would be lost.
  if (present.some((value) => /^[+-]?0\d/.test(value))) return "text";
  if (present.every((value) => fitsInteger(value, "bigint"))) return "bigint";
  if (present.every((value) => NUMBER.test(value))) return "double precision";
  if (present.every((value) => /^(true|false)$/i.test(value))) return "boolean";
  return "text";
}

/** The spellings that the server takes and SQLMesh takes; both give the same value. */
const TRUE = /^(t|tr|tru|true|y|ye|yes|on|1)$/i;
const FALSE = /^(f|fa|fal|fals|false|n|no|of|off|0)$/i;
const NUMBER = /^([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|[+-]?inf(inity)?)$/i;

const INTEGER_BITS: Readonly<Record<string, bigint>> = {
  smallint: 15n,
  int2: 15n,
  integer: 31n,
  int: 31n,
  int4: 31n,
  bigint: 63n,
  int8: 63n,
};

function familyOf(type: string): TypeFamily {
  const name = type.toLowerCase().replace(/\(.*$/, "").trim();
  if (type.includes("[")) return "other";
  if (name === "boolean" || name === "bool") return "boolean";
  if (name in INTEGER_BITS) return "integer";
  if (/^(numeric|decimal|dec|real|float[48]?|double precision)$/.test(name)) return "number";
  if (name === "date") return "date";
  return /^(text|varchar|char|character|character varying|bpchar|citext|name|"char")$/.test(name) ? "text" : "other";
}

function fitsInteger(text: string, type: string): boolean {
  if (!/^[+-]?\d{1,25}$/.test(text)) return false;
  const limit = 1n << (INTEGER_BITS[type.toLowerCase().trim()] ?? 63n);
  const value = BigInt(text.replace(/^\+/, ""));
  return value >= -limit && value < limit;
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return /^-?infinity$/i.test(text);
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined || year === 0) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function valid(value: string): SeedValue {
  return { ok: true, value };
}

function wrong(text: string, expected: string): SeedValue {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return { ok: false, reason: `"${shown}" isn't ${expected}` };
}
