import { type NextRequest, NextResponse } from "next/server";
import { installedGate, refuse } from "./app/gate.ts";
import { refusalPage } from "./app/refusal-page.ts";

/** Before every request, static files too: who may ask, and the policy that the answer is shown under. */
export function proxy(request: NextRequest): Response {
  const gate = installedGate();
  if (gate === null) {
    return new Response('Weir is not running behind these pages. Start it with "weir serve".\n', { status: 503 });
  }
  const { headers, method, nextUrl } = request;
  const token = nextUrl.searchParams.get("token");
  const refusal = refuse(gate, {
    method,
    path: nextUrl.pathname,
    host: headers.get("host"),
    origin: headers.get("origin"),
    contentType: headers.get("content-type"),
    cookie: request.cookies.get(gate.cookie)?.value ?? null,
    token,
  });
  if (refusal !== null) return refusalPage(refusal);
  if (token !== null) return enter(request, gate.cookie, token);
  return withPolicy(headers);
}

/** The printed link: the token moves from the address into a cookie that no script reads and no other site sends. */
function enter(request: NextRequest, cookie: string, token: string): Response {
  const target = request.nextUrl.clone();
  target.searchParams.delete("token");
  // The name that the browser used, which the gate has just checked; Next would put its own in.
  target.host = request.headers.get("host") ?? target.host;
  return new Response(null, {
    status: 303,
    headers: {
      location: target.toString(),
      "set-cookie": `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}

function withPolicy(incoming: Headers): Response {
  const nonce = btoa(crypto.randomUUID());
  // React Flow, Shiki and sonner set style attributes; scripts need the nonce. `next dev` evaluates its updates.
  const evaluate = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = new Headers(incoming);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}
