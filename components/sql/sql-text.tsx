import "server-only";
import { Fragment } from "react";
import { highlightSql } from "./highlight-sql.ts";
import { SqlLine } from "./sql-line.tsx";

/** A statement in full. */
export async function SqlText({ sql }: { readonly sql: string }) {
  const lines = await highlightSql(sql);
  return (
    <pre className="sql">
      {lines.map((tokens, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move.
        <Fragment key={index}>
          {index > 0 && "\n"}
          <SqlLine tokens={tokens} />
        </Fragment>
      ))}
    </pre>
  );
}
