import { describe, expect, test } from "vitest";
import { type GateRequest, refuse } from "../../app/gate.ts";

const gate = {
  token: "right-token",
  cookie: "weir_token_4800",
  hosts: ["127.0.0.1:4800", "localhost:4800", "weir.example.com"],
};

function ask(more: Partial<GateRequest>) {
  const request: GateRequest = {
    method: "GET",
    path: "/plans",
    host: "127.0.0.1:4800",
    origin: null,
    contentType: null,
    cookie: "right-token",
    token: null,
    ...more,
  };
  return refuse(gate, request)?.status ?? 200;
}

describe("the gate", () => {
  const json = { method: "POST", contentType: "application/json", origin: "http://localhost:4800" };
  test.each<[string, Partial<GateRequest>, number]>([
    ["own host with the cookie", {}, 200],
    ["another own name", { host: "LOCALHOST:4800" }, 200],
    ["the public name, by https", { ...json, host: "weir.example.com", origin: "https://weir.example.com" }, 200],
    ["a foreign host", { host: "evil.example" }, 421],
    ["our host with another port", { host: "127.0.0.1:4801" }, 421],
    ["no host at all", { host: null }, 421],
    ["a host that begins like ours", { host: "127.0.0.1:4800.evil.example" }, 421],
    ["a foreign host asking for a static file", { host: "evil.example", path: "/_next/static/a.js" }, 421],
    ["JSON from our own origin", json, 200],
    ["JSON with parameters in its type", { ...json, contentType: "application/json; charset=utf-8" }, 200],
    ["a foreign origin", { ...json, origin: "https://evil.example" }, 403],
    ["an opaque origin", { ...json, origin: "null" }, 403],
    ["a change without an origin", { ...json, origin: null }, 403],
    ["a read by a foreign origin", { origin: "https://evil.example" }, 403],
    ["another scheme with our host", { ...json, origin: "ftp://localhost:4800" }, 403],
    ["a form", { ...json, contentType: "application/x-www-form-urlencoded" }, 415],
    ["text", { ...json, contentType: "text/plain" }, 415],
    ["a type that only begins like JSON", { ...json, contentType: "application/jsonp" }, 415],
    ["no cookie", { cookie: null }, 401],
    ["a cookie of an earlier start", { cookie: "left-token." }, 401],
    ["a change without a cookie", { ...json, cookie: null }, 401],
    ["the link", { cookie: null, token: "right-token" }, 200],
    ["a wrong link, even with a good cookie", { token: "wrong-token" }, 401],
    ["health without a cookie", { cookie: null, path: "/healthz" }, 200],
    ["static files without a cookie", { cookie: null, path: "/_next/static/chunks/a.js" }, 200],
    ["what only looks like health", { cookie: null, path: "/healthz/x" }, 401],
    ["readiness without a cookie", { cookie: null, path: "/readyz" }, 401],
  ])("%s: %#", (_name, request, status) => {
    expect(ask(request)).toBe(status);
  });
});
