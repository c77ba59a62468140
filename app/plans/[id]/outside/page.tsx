import { OutsideScreen } from "../../../../components/outside/outside-screen.tsx";
import { decodeSegment } from "../../../../components/ui/links.ts";

interface PlanPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function PlanOutsidePage({ params }: PlanPageProps) {
  return <OutsideScreen planId={decodeSegment((await params).id)} />;
}
