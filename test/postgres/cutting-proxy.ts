import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { MessageReader, statementText } from "./wire.ts";

/** Where the connection is cut, counted in whole statements since `arm`. */
export interface Cut {
  readonly statement: number;
  /** `before`: the server never gets it. `during`: it gets it, nobody waits. `after`: its reply got through. */
  readonly when: "before" | "during" | "after";
}

/** Stands between a client and the server, and dies when told to, as a process that is killed would. */
export interface CuttingProxy {
  readonly port: number;
  readonly arm: (cut: Cut | null) => void;
  /** Statements that passed since `arm`, in order. */
  readonly statements: () => readonly string[];
  /** Whether the cut has happened. */
  readonly struck: () => boolean;
  readonly close: () => Promise<void>;
}

export async function openCuttingProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cut: Cut | null = null;
  let struck = false;
  let count = 0;
  let replies = 0;
  let statements: string[] = [];

  const strike = (): void => {
    struck = true;
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Messages are passed on one by one: Nagle's algorithm would hold each back for 40 ms.
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    const fromClient = new MessageReader("client");
    const fromServer = new MessageReader("server");
    // The server does a COMMIT at its Execute, before the Sync: a statement is held back until it is whole.
    let held: Buffer[] = [];
    client.on("data", (chunk: Buffer) => {
      for (const message of fromClient.read(chunk)) {
        const text = statementText(message);
        if (text !== null) statements.push(text);
        held.push(message.bytes);
        // Whole with its Sync, or with the simple protocol's only message; a log-in and a copy go on as they come.
        const isEnd = message.type === "S" || message.type === "Q";
        if (!isEnd && "PBDEH".includes(message.type) && message.type !== "") continue;
        if (isEnd) count += 1;
        const strikes = isEnd && cut !== null && count === cut.statement;
        if (strikes && cut?.when === "before") return strike();
        const bytes = Buffer.concat(held);
        held = [];
        // Flushed first: the server does get it.
        if (strikes && cut?.when === "during") return void upstream.write(bytes, () => strike());
        upstream.write(bytes);
      }
    });
    upstream.on("data", (chunk: Buffer) => {
      for (const message of fromServer.read(chunk)) {
        client.write(message.bytes);
        if (message.type !== "Z") continue;
        replies += 1;
        if (cut?.when === "after" && replies === cut.statement) return strike();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    arm: (next) => {
      cut = next;
      struck = false;
      count = 0;
      replies = 0;
      statements = [];
    },
    statements: () => statements,
    struck: () => struck,
    close: async () => {
      strike();
      server.close();
      await once(server, "close");
    },
  };
}
