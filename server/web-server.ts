import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import next from "next";
import { type Gate, type Installed, install } from "./api/door.ts";

export interface WebServerOptions {
  /** Where `.next` is. */
  readonly folder: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** `https://weir.example.com`, when people reach it by another name than host and port. */
  readonly baseUrl: string | null;
  readonly dev: boolean;
  readonly installed: Omit<Installed, "gate">;
}

export interface WebServer {
  /** With the token: the one link that lets a browser in. */
  readonly link: string;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the built pages in this process. Listens only once they can answer. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const server = createServer();
  const port = await listen(server, options);
  const gate = makeGate(options, port);
  install({ ...options.installed, gate });
  const app = next({ dev: options.dev, dir: options.folder, hostname: options.host, port, httpServer: server });
  const handle = app.getRequestHandler();
  await app.prepare();
  server.on("request", (request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.installed.logDefect("request", error);
      response.destroy();
    });
  });
  const url = options.baseUrl ?? `http://${hostPart(options.host)}:${port}`;
  return {
    url,
    link: `${url}/?token=${gate.token}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Live streams never end by themselves.
      server.closeAllConnections();
      await closed;
      await app.close();
    },
  };
}

function listen(server: Server, { host, port }: WebServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function makeGate({ host, baseUrl }: WebServerOptions, port: number): Gate {
  const loopback = host === "127.0.0.1" || host === "::1" || host === "localhost";
  const names = loopback ? ["127.0.0.1", "localhost", "[::1]"] : [hostPart(host)];
  const own = names.map((name) => `${name}:${port}`);
  const hosts = baseUrl === null ? own : [...own, new URL(baseUrl).host];
  return { token: randomBytes(24).toString("base64url"), cookie: `weir_token_${port}`, hosts };
}

function hostPart(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
