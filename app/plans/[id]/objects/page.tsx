import { Suspense } from "react";
import { ObjectsScreen } from "../../../../components/objects/objects-screen.tsx";
import { decodeSegment } from "../../../../components/ui/links.ts";
import { ObjectDefinition } from "../../../object-definition.tsx";

interface PlanObjectsPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly object?: string | string[] }>;
}

export default async function PlanObjectsPage({ params, searchParams }: PlanObjectsPageProps) {
  const id = decodeSegment((await params).id);
  const { object } = await searchParams;
  const definition =
    typeof object === "string" ? (
      <Suspense key={object} fallback={<p className="empty muted">Reading both texts</p>}>
        <ObjectDefinition planId={id} object={object} />
      </Suspense>
    ) : null;
  return (
    <ObjectsScreen
      planId={id}
      tab="objects"
      definition={definition}
      definitionOf={typeof object === "string" ? object : null}
    />
  );
}
