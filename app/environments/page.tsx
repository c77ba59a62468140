import type { Metadata } from "next";
import { EnvironmentsScreen } from "../../components/environments/environments-screen.tsx";
import { FaultPage } from "../fault-page.tsx";
import { Hydrated } from "../hydrated.tsx";
import { prefetch, procedures } from "../server.ts";

export const metadata: Metadata = { title: "Environments" };

export default async function EnvironmentsPage() {
  const fault =
    (await prefetch(procedures.environments.list.queryOptions())) ??
    (await prefetch(procedures.plans.list.queryOptions({})));
  if (fault !== null) return <FaultPage title="The environments could not be read" fault={fault} />;
  return (
    <Hydrated>
      <EnvironmentsScreen />
    </Hydrated>
  );
}
