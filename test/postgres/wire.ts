/** Cuts a stream of the PostgreSQL protocol into messages. Source: documentation, "Message Formats". */
export interface Message {
  /** Letter of the type; empty for the start-up message, which has none. */
  readonly type: string;
  /** The whole message, as it came. */
  readonly bytes: Buffer;
}

export class MessageReader {
  #held = Buffer.alloc(0);
  #started: boolean;

  /** `fromClient`: the first message has no type. */
  constructor(from: "client" | "server") {
    this.#started = from === "server";
  }

  read(chunk: Buffer): readonly Message[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const messages: Message[] = [];
    for (let message = this.#next(); message !== null; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): Message | null {
    const prefix = this.#started ? 1 : 0;
    if (this.#held.length < prefix + 4) return null;
    const length = prefix + this.#held.readInt32BE(prefix);
    if (this.#held.length < length) return null;
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    const type = this.#started ? String.fromCharCode(bytes[0] ?? 0) : "";
    this.#started = true;
    return { type, bytes };
  }
}

/** Text of a statement in a Query or Parse message; null for other messages. */
export function statementText(message: Message): string | null {
  const body = message.bytes.subarray(5);
  const [first = "", second = ""] = body.toString("utf8").split("\0", 2);
  if (message.type === "Q") return first;
  return message.type === "P" ? second : null;
}
