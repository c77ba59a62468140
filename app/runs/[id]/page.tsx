import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RunScreen } from "../../../components/run/run-screen.tsx";
import { decodeSegment } from "../../../components/ui/links.ts";
import { FaultPage } from "../../fault-page.tsx";
import { Hydrated } from "../../hydrated.tsx";
import { attempt, callProcedures, prefetch, procedures } from "../../server.ts";

interface RunPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: RunPageProps) {
  const id = decodeSegment((await params).id);
  const run = await attempt(() => callProcedures.runs.read({ id }));
  if ("fault" in run) {
    if (run.fault.status === 404) notFound();
    return <FaultPage title="This run could not be read" fault={run.fault} />;
  }
  const { planId } = run.value;
  const fault =
    (await prefetch(procedures.runs.read.queryOptions({ id }))) ??
    (await prefetch(procedures.runs.journal.queryOptions({ id }))) ??
    (await prefetch(procedures.plans.show.queryOptions({ id: planId })));
  if (fault !== null) return <FaultPage title="The plan of this run could not be read" fault={fault} />;
  return (
    <Hydrated>
      <RunScreen runId={id} planId={planId} />
    </Hydrated>
  );
}
