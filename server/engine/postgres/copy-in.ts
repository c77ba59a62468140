import type { Connection, Submittable } from "pg";

/**
 * COPY … FROM STDIN as the driver's queue takes it. The driver itself answers every copy with a failure, and a package
 * for it would be more than these lines. Lines are sent in chunks, waiting for the socket whenever it is full.
 */
export class CopyIn implements Submittable {
  readonly #sql: string;
  readonly #lines: Iterator<string>;
  readonly #resolve: (rows: number) => void;
  readonly #reject: (error: Error) => void;
  #rows = 0;
  #failed: Error | null = null;
  #settled = false;

  constructor(sql: string, lines: Iterable<string>, resolve: (rows: number) => void, reject: (error: Error) => void) {
    this.#sql = sql;
    this.#lines = lines[Symbol.iterator]();
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    connection.query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    try {
      this.#send(connection);
    } catch (error) {
      connection.sendCopyFail(error instanceof Error ? error.message : "interrupted");
    }
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.#rows = Number(message.text.split(" ").at(-1));
  }

  handleError(error: Error): void {
    // The driver lets go of a query at its error and never tells it of the ReadyForQuery that follows.
    this.#failed = error;
    this.#settle();
  }

  handleReadyForQuery(): void {
    this.#settle();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  #send(connection: CopyConnection): void {
    while (this.#failed === null) {
      const chunk = this.#nextChunk();
      if (chunk === null) {
        connection.endCopyFrom();
        return;
      }
      connection.sendCopyFromChunk(Buffer.from(chunk, "utf8"));
      if (connection.stream.writableNeedDrain) {
        connection.stream.once("drain", () => this.handleCopyInResponse(connection));
        return;
      }
    }
  }

  #nextChunk(): string | null {
    let chunk = "";
    while (chunk.length < CHUNK_CHARACTERS) {
      const next = this.#lines.next();
      if (next.done === true) break;
      chunk += next.value;
    }
    return chunk === "" ? null : chunk;
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    if (this.#failed === null) this.#resolve(this.#rows);
    else this.#reject(this.#failed);
  }
}

const CHUNK_CHARACTERS = 64 * 1024;

/** What the driver's connection has for copies and its types don't name. */
interface CopyConnection {
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (message: string) => void;
  readonly stream: NodeJS.WritableStream & { readonly writableNeedDrain: boolean };
}
