import { request as httpRequest } from "node:http";
import { expect } from "@playwright/test";
import { test } from "./shop.ts";

// Whoever gets in may approve and start: these are the ways in that must stay shut.

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** By hand, because browsers and fetch don't let anybody write Host or Origin. */
function ask(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method: options.method ?? "GET", headers: options.headers ?? {} },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    request.on("error", reject);
    request.end(options.body);
  });
}

async function cookieOf(link: string): Promise<string> {
  const { headers } = await ask(link);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

const decision = JSON.stringify({ json: { planId: "x", digest: "00000000", verdict: "approve", reason: null } });

test("the link sets the token as a cookie that scripts can't read and other sites can't send, and drops it from the address", async ({
  shop,
}) => {
  const { status, headers } = await ask(shop.link);
  expect(status).toBe(303);
  expect(String(headers.location)).not.toContain("token");
  const cookie = String(headers["set-cookie"]);
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toContain("SameSite=Strict");
});

test("without the token there is a page that says what to do, and nothing else", async ({ page, shop }) => {
  const response = await page.goto(`${shop.url}/plans`);
  expect(response?.status()).toBe(401);
  await expect(page.getByRole("heading", { name: "Open Weir by its link" })).toBeVisible();
  for (const path of ["/", "/api/trpc/plans.list", "/readyz", "/environments/prod"]) {
    expect((await ask(`${shop.url}${path}`)).status).toBe(401);
  }
  expect((await ask(`${shop.url}/?token=wrong`)).status).toBe(401);
});

test("a foreign Host is refused even with the token", async ({ shop }) => {
  const cookie = await cookieOf(shop.link);
  expect((await ask(`${shop.url}/`, { headers: { cookie } })).status).toBe(200);
  expect((await ask(`${shop.url}/`, { headers: { cookie, host: "evil.example" } })).status).toBe(421);
  expect((await ask(`${shop.url}/healthz`, { headers: { host: "evil.example" } })).status).toBe(421);
});

test("a foreign or missing Origin changes nothing, and bodies other than JSON are refused", async ({ shop }) => {
  const cookie = await cookieOf(shop.link);
  const post = (headers: Readonly<Record<string, string>>) =>
    ask(`${shop.url}/api/trpc/plans.decide`, { method: "POST", headers: { cookie, ...headers }, body: decision });
  const json = { "content-type": "application/json" };
  expect((await post({ ...json, origin: "https://evil.example" })).status).toBe(403);
  expect((await post(json)).status).toBe(403);
  expect((await post({ ...json, origin: "null" })).status).toBe(403);
  expect((await post({ "content-type": "text/plain", origin: shop.url })).status).toBe(415);
  expect(
    (await ask(`${shop.url}/api/trpc/plans.list`, { headers: { cookie, origin: "https://evil.example" } })).status,
  ).toBe(403);
  const own = await post({ ...json, origin: shop.url });
  expect(own.status).toBe(404);
  expect(own.text).toContain("There is no plan x");
});

test("health needs no token; readiness does and knows the worker", async ({ shop }) => {
  expect((await ask(`${shop.url}/healthz`)).status).toBe(200);
  const cookie = await cookieOf(shop.link);
  await expect
    .poll(async () => (await ask(`${shop.url}/readyz`, { headers: { cookie } })).text)
    .toContain('"ready":true');
});

test("answers carry a policy with a nonce and never a stack", async ({ shop }) => {
  const cookie = await cookieOf(shop.link);
  const { headers, text } = await ask(`${shop.url}/`, { headers: { cookie } });
  expect(String(headers["content-security-policy"])).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
  expect(text).not.toMatch(/<script(?![^>]*nonce=)[^>]*>/);
  const wrong = await ask(`${shop.url}/api/trpc/plans.show?input=${encodeURIComponent('{"json":{"id":3}}')}`, {
    headers: { cookie },
  });
  expect(wrong.status).toBe(400);
  expect(wrong.text).not.toContain("stack");
});
