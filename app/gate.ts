import type { Gate, Installed } from "../server/api/door.ts";

/** Why a request is turned away; null lets it in. */
export type Refusal =
  | { readonly kind: "host"; readonly status: 421; readonly host: string }
  | { readonly kind: "origin"; readonly status: 403; readonly origin: string | null }
  | { readonly kind: "body"; readonly status: 415; readonly type: string | null }
  | { readonly kind: "token"; readonly status: 401; readonly wrong: boolean };

export interface GateRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly contentType: string | null;
  readonly cookie: string | null;
  /** `?token=` of the printed link. */
  readonly token: string | null;
}

const safeMethods = new Set(["GET", "HEAD"]);
const openPaths = [/^\/healthz$/, /^\/_next\/static\//, /^\/icon\.svg$/];

/**
 * The server has no sign-in: whoever gets in may approve and start. A page of another site can make this browser send
 * requests here (DNS rebinding: a foreign Host; forms and fetch: a foreign Origin), so both are checked before the token.
 */
export function refuse(gate: Gate, request: GateRequest): Refusal | null {
  const host = request.host?.toLowerCase() ?? "";
  if (!gate.hosts.includes(host)) return { kind: "host", status: 421, host };
  const safe = safeMethods.has(request.method);
  if (request.origin !== null || !safe) {
    if (!isOwnOrigin(gate, request.origin)) return { kind: "origin", status: 403, origin: request.origin };
  }
  if (openPaths.some((pattern) => pattern.test(request.path))) return null;
  if (!safe && !/^application\/json\b/i.test(request.contentType ?? "")) {
    return { kind: "body", status: 415, type: request.contentType };
  }
  if (request.token !== null)
    return same(request.token, gate.token) ? null : { kind: "token", status: 401, wrong: true };
  if (request.cookie !== null && same(request.cookie, gate.token)) return null;
  return { kind: "token", status: 401, wrong: request.cookie !== null };
}

function isOwnOrigin(gate: Gate, origin: string | null): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && gate.hosts.includes(host);
}

/** Takes the same time wherever the difference is. */
function same(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** Set by the starting program (server/api/door.ts); null under a bare `next start`, which then serves nothing. */
export function installedGate(): Gate | null {
  const registry = globalThis as { [key: symbol]: Installed | undefined };
  return registry[Symbol.for("weir.installed")]?.gate ?? null;
}
