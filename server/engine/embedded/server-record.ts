import { readFileSync } from "node:fs";
import { EmbeddedError } from "./embedded-error.ts";
import { writeWhole } from "./own-folder.ts";
import { thisMachine } from "./process-identity.ts";

export const superuser = "weir";

/** server.json: what PostgreSQL's own files don't say. Readable by its owner alone. */
export interface ServerRecord {
  readonly password: string;
  /** Of the last start. Taken again while it is free, so that URLs in long-lived processes outlive a restart. */
  readonly port: number | null;
  /** Where it was last started, and the programs it was started with. */
  readonly machine: string;
  readonly binaries: string;
}

export function readRecord(path: string): ServerRecord | undefined {
  let record: Partial<ServerRecord> | null;
  try {
    record = JSON.parse(readFileSync(path, "utf8")) as Partial<ServerRecord> | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    // A parser's message may quote the text, and the text holds the password.
    const reason = error instanceof SyntaxError ? "it is not JSON" : (error as Error).message;
    throw new EmbeddedError("record_unreadable", { path, reason });
  }
  if (typeof record?.password !== "string")
    throw new EmbeddedError("record_unreadable", { path, reason: "no password in it" });
  const { password, port = null, machine = thisMachine, binaries = "" } = record;
  return { password, port, machine, binaries };
}

export function writeRecord(path: string, record: ServerRecord): void {
  writeWhole(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}
