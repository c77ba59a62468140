import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Message, MessageReader } from "./wire.ts";

/**
 * A pooler in transaction mode, as small as one can be. Each client's log-in goes through to a server session of its
 * own; from then on any free session serves any client, for one transaction at a time, the last one freed first.
 */
export async function openPoolingProxy(target: { readonly host: string; readonly port: number }): Promise<{
  readonly port: number;
  readonly close: () => Promise<void>;
}> {
  const free: Upstream[] = [];
  const waiting: ((upstream: Upstream) => void)[] = [];
  const sockets = new Set<Socket>();
  const release = (upstream: Upstream): void => {
    upstream.client = null;
    const next = waiting.shift();
    if (next === undefined) free.push(upstream);
    else next(upstream);
  };

  const server = createServer((client) => {
    const socket = connect(target.port, target.host);
    sockets.add(socket.setNoDelay(true)).add(client.setNoDelay(true));
    const own: Upstream = { socket, client };
    let assigned: Upstream | null = own;
    let held: Message[] = [];
    const reader = new MessageReader("client");
    client.on("error", () => undefined);
    socket.on("error", () => undefined);
    client.on("data", (chunk: Buffer) => {
      for (const message of reader.read(chunk)) {
        // The client goes, the server session stays in the pool.
        if (message.type === "X") continue;
        if (assigned !== null) assigned.socket.write(message.bytes);
        else if (held.push(message) === 1) take();
      }
    });
    const take = (): void => {
      const serve = (upstream: Upstream): void => {
        upstream.client = client;
        upstream.onReady = () => {
          assigned = null;
        };
        assigned = upstream;
        for (const message of held) upstream.socket.write(message.bytes);
        held = [];
      };
      const upstream = free.pop();
      if (upstream === undefined) waiting.push(serve);
      else serve(upstream);
    };
    own.onReady = () => {
      assigned = null;
    };
    const answers = new MessageReader("server");
    socket.on("data", (chunk: Buffer) => {
      for (const message of answers.read(chunk)) {
        own.client?.write(message.type === "K" ? anotherPid(message.bytes) : message.bytes);
        if (message.type === "Z" && String.fromCharCode(message.bytes[5] ?? 0) === "I") {
          own.onReady?.();
          release(own);
        }
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

interface Upstream {
  readonly socket: Socket;
  client: Socket | null;
  onReady?: () => void;
}

/** Poolers announce keys of their own. */
function anotherPid(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeInt32BE(1, 5);
  return copy;
}
