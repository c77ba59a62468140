import type { Refusal } from "./gate.ts";

interface Words {
  readonly title: string;
  readonly text: string;
  readonly now: string;
}

function words(refusal: Refusal): Words {
  switch (refusal.kind) {
    case "host":
      return {
        title: "This address isn't served here",
        text: `The request was for the host “${refusal.host}”, which this Weir doesn't answer to.`,
        now: "Open the link that weir serve printed. To serve another name, set WEIR_BASE_URL and start again.",
      };
    case "origin":
      return {
        title: "Refused: the request came from another site",
        text: `Its origin was ${refusal.origin === null ? "not given" : `“${refusal.origin}”`}. Only Weir's own pages may send requests here.`,
        now: "Nothing was changed. Open Weir by the link that weir serve printed.",
      };
    case "body":
      return {
        title: "Only JSON is accepted",
        text: `The body was ${refusal.type === null ? "of no stated type" : `“${refusal.type}”`}.`,
        now: "Nothing was changed. Send it with Content-Type: application/json.",
      };
    case "token":
      return {
        title: refusal.wrong ? "This link belongs to an earlier start" : "Open Weir by its link",
        text: refusal.wrong
          ? "Weir makes a new key each time it starts, and the one in this browser is from before."
          : "Weir runs without sign-in on this machine, so it asks for the key that it printed when it started.",
        now: "In the terminal where weir serve runs, find the line that begins with “Weir is ready” and open that link.",
      };
  }
}

/** Says what to do; stands alone, because nothing else is served to whoever sees it. */
export function refusalPage(refusal: Refusal): Response {
  const { title, text, now } = words(refusal);
  const again =
    refusal.kind === "token" && !refusal.wrong
      ? '<p class="q">Came here by a link from another page? <a href="">Open it once more</a>: browsers hold the key back on the way in from other sites.</p>'
      : "";
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Weir</title><style>${style}</style></head><body><main><p class="b">Weir</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><p class="n">${escapeHtml(now)}</p>${again}</main></body></html>`;
  return new Response(html, {
    status: refusal.status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const style =
  ":root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f6f7f7,#0b0f10);color:light-dark(#13181a,#e8eded);font:14px/1.55 Inter,system-ui,sans-serif}" +
  "main{max-width:52ch;margin:24px;padding:24px 28px;background:light-dark(#fff,#12181a);border:1px solid light-dark(#e1e6e7,#232c2f);border-radius:10px}" +
  "h1{margin:4px 0 8px;font-size:20px;line-height:28px;letter-spacing:-.017em}p{margin:0 0 8px}.b{color:light-dark(#0a6570,#5cc6cf);font-weight:600}.n{font-weight:500}.q{color:light-dark(#5a6569,#939fa3);font-size:13px;margin-top:14px}a{color:light-dark(#0a6570,#5cc6cf)}";
