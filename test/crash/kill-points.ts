import process from "node:process";
import pg from "pg";

export interface KillPoints {
  /** Every moment that was passed, in order: `warehouse sent COMMIT`. */
  readonly passed: readonly string[];
}

/**
 * Watches what this process sends to the server, warehouse and state, from outside of the product, and kills the
 * process without warning at moment `killAt`, counted from 1.
 *
 * A moment is `before` a statement, when it isn't sent yet, or `sent`, when it is on its way and has no answer. After an
 * answer nothing leaves the process until the next statement is sent: that moment is the next one's `before`. Statements
 * that only ask, set or begin leave nothing behind, and those within a transaction nothing that lasts. So whatever is
 * found after a kill is what the last commit has left, and each of those is walked once, in its hardest form: the
 * commit is on its way and nobody hears its answer. `every` walks all the other moments, too.
 */
export function watchStatements(killAt: number, every: boolean): KillPoints {
  const passed: string[] = [];
  const pass = (label: string, then: () => void): void => {
    passed.push(label);
    if (passed.length === killAt) then();
  };
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;

  function query(this: pg.Client, ...args: unknown[]): unknown {
    const sql = textOf(args[0]);
    const changes = CHANGES.test(sql);
    const whose = Reflect.get(this, "connectionParameters").application_name === "weir" ? "warehouse" : "state";
    const label = sql.replace(/\s+/g, " ").slice(0, 90);
    if (every ? changes : passed.length === 0 && changes) pass(`${whose} before ${label}`, die);
    const returned = send.apply(this, args);
    // By the next turn of the loop the driver has handed it to the system, which delivers it whatever becomes of us.
    if (LASTS.test(sql) || (changes && every)) pass(`${whose} sent ${label}`, () => void setImmediate(die));
    return returned;
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
  return { passed };
}

const TAG = String.raw`^\s*(\/\*.*?\*\/)?\s*`;
const CHANGES = new RegExp(
  `${TAG}(insert|update|delete|with held|commit|create|alter|drop|comment|grant|refresh|copy|analyze|vacuum)\\b`,
  "i",
);
/** What is committed by it: COMMIT, and a line of the journal, which is a statement of its own. */
const LASTS = new RegExp(`${TAG}(with held|commit)\\b`, "i");

function textOf(query: unknown): string {
  if (typeof query === "string") return query;
  const text: unknown = typeof query === "object" && query !== null ? Reflect.get(query, "text") : undefined;
  // What the driver submits by itself has its text under another name.
  return typeof text === "string" ? text : "COPY";
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}
