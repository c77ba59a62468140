import type { Properties } from "./model.ts";
import type { DeclaredKind } from "./read-kind.ts";

/** `model_defaults` of the configuration, checked. */
export interface ModelDefaults {
  /** SQLMesh makes it mandatory, since a missing one would change the meaning of every model. */
  readonly dialect: string;
  readonly kind: DeclaredKind | null;
  readonly owner: string | null;
  readonly cron: string | null;
  readonly start: string | null;
  readonly enabled: boolean;
  readonly physicalProperties: Properties;
  readonly virtualProperties: Properties;
  /** Labels that every model has unless its header says otherwise, as canonical texts. */
  readonly labels: { readonly [property: string]: string };
}
