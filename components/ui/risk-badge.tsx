import { Activity, Check, OctagonAlert, TriangleAlert } from "lucide-react";

export type RiskLevel = "low" | "moderate" | "high" | "critical";

const icons = { low: Check, moderate: Activity, high: TriangleAlert, critical: OctagonAlert } as const;
const words = { low: "Low", moderate: "Moderate", high: "High", critical: "Critical" } as const;

export function RiskBadge({ level, rule }: { readonly level: RiskLevel; readonly rule: string }) {
  const Icon = icons[level];
  return (
    <span className={`badge ${level}`} title={`${words[level]}: ${rule}`}>
      <Icon className="i" aria-hidden="true" />
      <span>
        <span className="sr">Risk </span>
        {words[level]}
        <span className="sr">: {rule}</span>
      </span>
    </span>
  );
}
