import pg from "pg";

/**
 * Lets a test do something just before a statement of a warehouse session is sent, or just after, from outside of the
 * product. Ends with `restore`.
 */
export function interceptWarehouse(
  hook: (sql: string, pid: number) => { readonly before?: Promise<void>; readonly after?: Promise<void> } | null,
): { readonly restore: () => void } {
  const send = pg.Client.prototype.query;
  const original = send as (...args: unknown[]) => unknown;
  function query(this: pg.Client, ...args: unknown[]): unknown {
    const application = Reflect.get(this, "connectionParameters").application_name;
    const sql = textOf(args[0]);
    const done = application === "weir" && sql !== null ? hook(sql, Reflect.get(this, "processID")) : null;
    if (done?.before === undefined) return original.apply(this, args);
    return done.before.then(() => original.apply(this, args));
  }
  pg.Client.prototype.query = query as typeof send;
  return {
    restore: () => {
      pg.Client.prototype.query = send;
    },
  };
}

function textOf(query: unknown): string | null {
  if (typeof query === "string") return query;
  const text: unknown = typeof query === "object" && query !== null ? Reflect.get(query, "text") : null;
  return typeof text === "string" ? text : null;
}
