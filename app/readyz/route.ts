import { attempt, callProcedures } from "../server.ts";

export const dynamic = "force-dynamic";

/** State answers and the worker runs. */
export async function GET(): Promise<Response> {
  const status = await attempt(() => callProcedures.system.status());
  const ready = "value" in status && status.value.worker.state === "running";
  const body =
    "value" in status ? { ready, worker: status.value.worker.state } : { ready, problems: status.fault.problems };
  return Response.json(body, { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } });
}
