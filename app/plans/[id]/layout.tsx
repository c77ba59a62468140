import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PlanFrame } from "../../../components/plan/plan-frame.tsx";
import { decodeSegment } from "../../../components/ui/links.ts";
import { FaultPage } from "../../fault-page.tsx";
import { Hydrated } from "../../hydrated.tsx";
import { attempt, callProcedures, prefetch, procedures } from "../../server.ts";

interface PlanLayoutProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly children: ReactNode;
}

export async function generateMetadata({ params }: PlanLayoutProps): Promise<Metadata> {
  const id = decodeSegment((await params).id);
  const title = await attempt(() => callProcedures.plans.title({ id }));
  return { title: "value" in title ? `Plan: ${title.value}` : "Plan" };
}

export default async function PlanLayout({ params, children }: PlanLayoutProps) {
  const id = decodeSegment((await params).id);
  const fault = await prefetch(procedures.plans.show.queryOptions({ id }));
  if (fault?.status === 404) notFound();
  if (fault !== null) return <FaultPage title="This plan could not be read" fault={fault} />;
  const title = await callProcedures.plans.title({ id });
  return (
    <Hydrated>
      <PlanFrame planId={id} title={title}>
        {children}
      </PlanFrame>
    </Hydrated>
  );
}
