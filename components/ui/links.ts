// Every address is built here, so that names with quotes, slashes, % and letters of any script come through whole.

export function planLink(id: string, tab: PlanTab = "overview"): string {
  return `/plans/${encodeURIComponent(id)}${tab === "overview" ? "" : `/${tab}`}`;
}

export type PlanTab = "overview" | "objects" | "graph" | "outside" | "sql" | "activity";

export function objectLink(plan: string, object: string, tab: PlanTab = "overview"): string {
  return `${planLink(plan, tab)}?object=${encodeURIComponent(object)}`;
}

export function runLink(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

export function environmentLink(name: string, object?: string): string {
  const base = `/environments/${encodeURIComponent(name)}`;
  return object === undefined ? base : `${base}?object=${encodeURIComponent(object)}`;
}

/** Next hands path segments over as they stand in the address. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
