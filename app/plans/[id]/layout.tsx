import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PlanFrame } from "../../../components/plan/plan-frame.tsx";
import { decodeSegment } from "../../../components/ui/links.ts";
import { FaultPage } from "../../fault-page.tsx";
import { Hydrated } from "../../hydrated.tsx";
import { attempt, prefetch, procedures, queryClientOfRequest } from "../../server.ts";

interface PlanLayoutProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly children: ReactNode;
}

export async function generateMetadata({ params }: PlanLayoutProps): Promise<Metadata> {
  const id = decodeSegment((await params).id);
  const plan = await attempt(() => queryClientOfRequest().fetchQuery(procedures.plans.show.queryOptions({ id })));
  return { title: "value" in plan ? `Plan: ${plan.value.title}` : "Plan" };
}

export default async function PlanLayout({ params, children }: PlanLayoutProps) {
  const id = decodeSegment((await params).id);
  const fault = await prefetch(procedures.plans.show.queryOptions({ id }));
  if (fault?.status === 404) notFound();
  if (fault !== null) return <FaultPage title="This plan could not be read" fault={fault} />;
  return (
    <Hydrated>
      <PlanFrame planId={id}>{children}</PlanFrame>
    </Hydrated>
  );
}
