import { ActivityScreen } from "../../../../components/activity/activity-screen.tsx";
import { decodeSegment } from "../../../../components/ui/links.ts";

interface PlanPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function PlanActivityPage({ params }: PlanPageProps) {
  return <ActivityScreen planId={decodeSegment((await params).id)} />;
}
