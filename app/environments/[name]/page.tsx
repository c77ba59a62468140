import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EnvironmentScreen } from "../../../components/environments/environment-screen.tsx";
import { decodeSegment } from "../../../components/ui/links.ts";
import { FaultPage } from "../../fault-page.tsx";
import { Hydrated } from "../../hydrated.tsx";
import { prefetch, procedures } from "../../server.ts";

interface EnvironmentPageProps {
  readonly params: Promise<{ readonly name: string }>;
}

export async function generateMetadata({ params }: EnvironmentPageProps): Promise<Metadata> {
  return { title: decodeSegment((await params).name) };
}

export default async function EnvironmentPage({ params }: EnvironmentPageProps) {
  const name = decodeSegment((await params).name);
  const fault =
    (await prefetch(procedures.environments.inspect.queryOptions({ name }))) ??
    (await prefetch(procedures.environments.list.queryOptions()));
  if (fault?.status === 404) notFound();
  if (fault !== null) return <FaultPage title={`${name} could not be read`} fault={fault} />;
  return (
    <Hydrated>
      <EnvironmentScreen name={name} />
    </Hydrated>
  );
}
