import { StatementList } from "../../../../components/sql/statement-list.tsx";
import { decodeSegment } from "../../../../components/ui/links.ts";
import { FaultPage } from "../../../fault-page.tsx";
import { attempt, callProcedures } from "../../../server.ts";

interface PlanSqlPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function PlanSqlPage({ params }: PlanSqlPageProps) {
  const id = decodeSegment((await params).id);
  const plan = await attempt(() => callProcedures.plans.show({ id }));
  if ("fault" in plan) return <FaultPage title="The statements could not be read" fault={plan.fault} />;
  return <StatementList view={plan.value.view} />;
}
