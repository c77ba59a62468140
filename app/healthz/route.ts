export const dynamic = "force-dynamic";

/** The process answers; nothing is said about what is behind it. */
export function GET(): Response {
  return Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
}
