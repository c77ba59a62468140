import type { Metadata } from "next";
import { InboxScreen } from "../components/inbox/inbox-screen.tsx";
import { Hydrated } from "./hydrated.tsx";
import { prefetch, procedures } from "./server.ts";

export const metadata: Metadata = { title: "Inbox" };

export default async function InboxPage() {
  await prefetch(procedures.plans.list.queryOptions({}));
  return (
    <Hydrated>
      <InboxScreen />
    </Hydrated>
  );
}
