import { DefinitionDiff } from "../components/sql/definition-diff.tsx";
import { EmptyState } from "../components/ui/empty-state.tsx";
import { FaultPanel } from "../components/ui/fault-panel.tsx";
import { attempt, callProcedures } from "./server.ts";

interface ObjectDefinitionProps {
  readonly planId: string;
  readonly object: string;
}

/** The text of the object in the address, before and after, made here so that no highlighter is sent to the browser. */
export async function ObjectDefinition({ planId, object }: ObjectDefinitionProps) {
  const found = await attempt(async () => ({
    definition: await callProcedures.plans.definition({ planId, model: object }),
    environment: (await callProcedures.plans.show({ id: planId })).view.environment,
  }));
  if ("fault" in found) return <FaultPanel what="The definition could not be read" fault={found.fault} />;
  const { definition, environment } = found.value;
  if (definition === null || (definition.previous === null && definition.current === null)) {
    return (
      <EmptyState title="No text to compare">
        <p>It isn't a model whose text this plan changes. What is done to it stands under What happens.</p>
      </EmptyState>
    );
  }
  return <DefinitionDiff previous={definition.previous} current={definition.current} environment={environment} />;
}
