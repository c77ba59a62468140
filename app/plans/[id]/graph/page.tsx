import { GraphScreen } from "../../../../components/graph/graph-screen.tsx";
import { decodeSegment } from "../../../../components/ui/links.ts";

interface PlanGraphPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function PlanGraphPage({ params }: PlanGraphPageProps) {
  return <GraphScreen planId={decodeSegment((await params).id)} />;
}
