import type { Metadata } from "next";
import { PlansScreen } from "../../components/inbox/plans-screen.tsx";
import { Hydrated } from "../hydrated.tsx";
import { prefetch, procedures } from "../server.ts";

export const metadata: Metadata = { title: "Plans" };

export default async function PlansPage() {
  await prefetch(procedures.plans.list.queryOptions({}));
  return (
    <Hydrated>
      <PlansScreen />
    </Hydrated>
  );
}
