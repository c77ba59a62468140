import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** One statement as it went over the wire, with the connection that it went over. */
export interface Sent {
  readonly session: number;
  /** The application_name that the connection was opened with. */
  readonly application: string;
  readonly sql: string;
}

export interface ListeningProxy {
  readonly port: number;
  /** Everything so far, in the order in which it came; simple and extended protocol alike. */
  readonly sent: () => readonly Sent[];
  readonly close: () => Promise<void>;
}

/** Stands between a program and a server, passes everything on, and keeps what was said to the server. */
export async function openListeningProxy(upstream: { host: string; port: number }): Promise<ListeningProxy> {
  const sent: Sent[] = [];
  const sockets = new Set<Socket>();
  let sessions = 0;
  const server = createServer((client) => {
    sessions += 1;
    const session = sessions;
    const behind = connect(upstream);
    const reader = readFrontend((application, sql) => sent.push({ session, application, sql }));
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        (socket === client ? behind : client).destroy();
      });
    }
    client.on("data", (data) => {
      const { forward, refusals } = reader(data);
      for (let count = 0; count < refusals; count += 1) client.write("N");
      if (forward.length > 0) behind.write(forward);
    });
    behind.on("data", (data) => client.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => [...sent],
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/** Cuts the client's bytes into messages. Encryption is refused in the server's place: what is encrypted can't be read. */
function readFrontend(
  onStatement: (application: string, sql: string) => void,
): (data: Buffer) => { forward: Buffer; refusals: number } {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  let application = "";
  return (data) => {
    rest = Buffer.concat([rest, data]);
    const forward: Buffer[] = [];
    let refusals = 0;
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) break;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) break;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      const code = started ? 0 : message.readInt32BE(4);
      if (code === SSL_REQUEST || code === GSS_REQUEST) {
        refusals += 1;
        continue;
      }
      forward.push(message);
      if (started) {
        const sql = statementIn(message);
        if (sql !== null) onStatement(application, sql);
      } else if (code !== CANCEL_REQUEST) {
        started = true;
        const parameters = message.subarray(8).toString("utf8").split("\0");
        application = parameters[parameters.indexOf("application_name") + 1] ?? "";
      }
    }
    return { forward: Buffer.concat(forward), refusals };
  };
}

function statementIn(message: Buffer): string | null {
  const type = String.fromCharCode(message[0] ?? 0);
  const texts = message.subarray(5).toString("utf8").split("\0");
  if (type === "Q") return texts[0] ?? "";
  // Parse: the statement's name, then its text. Weir names none, so each is executed once.
  return type === "P" ? (texts[1] ?? "") : null;
}
