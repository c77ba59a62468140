import type { Metadata } from "next";
import { RunsScreen } from "../../components/run/runs-screen.tsx";
import { FaultPage } from "../fault-page.tsx";
import { Hydrated } from "../hydrated.tsx";
import { prefetch, procedures } from "../server.ts";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage() {
  const fault = await prefetch(procedures.runs.list.queryOptions({}));
  if (fault !== null) return <FaultPage title="The runs could not be read" fault={fault} />;
  return (
    <Hydrated>
      <RunsScreen />
    </Hydrated>
  );
}
