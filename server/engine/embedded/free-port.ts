import { createServer } from "node:net";

export const host = "127.0.0.1";

/** The preferred port if nobody has it, else one that the system picks. */
export async function freePort(preferred: number | null): Promise<number> {
  return (preferred === null ? undefined : await tryPort(preferred)) ?? (await tryPort(0)) ?? 0;
}

export async function isTaken(port: number): Promise<boolean> {
  return (await tryPort(port)) === undefined;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === "object" && address !== null ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}
