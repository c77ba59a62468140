export interface ModelRequest {
  readonly index: number;
  readonly name: string;
  /** None to three. */
  readonly parents: readonly string[];
  readonly mix: "views" | "kinds";
  readonly edit: number;
}

/**
 * Six columns each, one row for each id whatever is joined, so that a stack of views stays as narrow as its first.
 * Queries are of the everyday sort: expressions, a CTE, joins, a window.
 */
export function modelText(request: ModelRequest): string {
  return `${header(request)}\n\n${query(request)}\n`;
}

function header({ index, name, mix }: ModelRequest): string {
  const kind = mix === "views" ? "VIEW" : kindOf(index);
  return `MODEL (\n  name ${name},\n  kind ${kind},\n  description 'Model number ${index}.'\n);`;
}

/**
 * Tables here and there, so that a row is not computed through a hundred views. No INCREMENTAL_BY_PARTITION: below one,
 * SQLMesh 0.236.4 re-creates views with CASCADE, several at once, and its own first plan fails on what is gone.
 */
function kindOf(index: number): string {
  if (index % 7 === 0) return "FULL";
  if (index % 7 === 3) return "VIEW (materialized true)";
  return "VIEW";
}

function query({ index, parents, edit }: ModelRequest): string {
  const [first, second, third] = parents;
  if (first === undefined) return rootQuery(edit);
  if (second === undefined) return oneParent(first, index, edit);
  return third === undefined ? twoParents(first, second, edit) : threeParents(first, second, third, edit);
}

function rootQuery(edit: number): string {
  return `SELECT
  n::INT AS id,
  (DATE '2024-01-01' + n)::DATE AS day,
  ('name ' || n::TEXT)::TEXT AS name,
  (n * 1.25 + ${edit})::NUMERIC(12, 2) AS amount,
  (n % 3)::INT AS bucket,
  (n % 2 = 0)::BOOLEAN AS flag
FROM GENERATE_SERIES(1, 40) AS t(n)`;
}

function oneParent(parent: string, index: number, edit: number): string {
  return `SELECT
  id,
  day,
  UPPER(name)::TEXT AS name,
  (amount + ${edit})::NUMERIC(12, 2) AS amount,
  CASE WHEN bucket = ${index % 3} THEN 0 ELSE bucket END::INT AS bucket,
  NOT flag AS flag
FROM ${parent}
WHERE id IS NOT NULL AND amount >= 0`;
}

function twoParents(first: string, second: string, edit: number): string {
  return `WITH later AS (
  SELECT id, amount, bucket, flag
  FROM ${second}
  WHERE day >= DATE '2024-01-01'
)
SELECT
  a.id,
  a.day,
  COALESCE(a.name, 'none')::TEXT AS name,
  (a.amount * 0.5 + b.amount * 0.5 + ${edit})::NUMERIC(12, 2) AS amount,
  GREATEST(a.bucket, b.bucket)::INT AS bucket,
  (a.flag OR b.flag) AS flag
FROM ${first} AS a
JOIN later AS b
  ON b.id = a.id`;
}

function threeParents(first: string, second: string, third: string, edit: number): string {
  return `SELECT
  a.id,
  a.day,
  (a.name || '/' || LENGTH(c.name)::TEXT)::VARCHAR(200) AS name,
  (COALESCE(a.amount, b.amount) + ${edit})::NUMERIC(12, 2) AS amount,
  (ROW_NUMBER() OVER (PARTITION BY a.bucket ORDER BY a.id) % 5)::INT AS bucket,
  (a.flag AND NOT c.flag) AS flag
FROM ${first} AS a
LEFT JOIN ${second} AS b
  ON b.id = a.id
JOIN ${third} AS c
  ON c.id = a.id AND c.day = a.day`;
}
