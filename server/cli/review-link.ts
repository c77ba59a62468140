/** Where a plan is reviewed: under WEIR_BASE_URL, else where `weir serve` listens by default on this machine. */
export function reviewLink(plan: string): string {
  const { WEIR_BASE_URL, WEIR_HOST, WEIR_PORT } = process.env;
  const base = WEIR_BASE_URL || `http://${WEIR_HOST || DEFAULT_HOST}:${WEIR_PORT || DEFAULT_PORT}`;
  return `${base.replace(/\/+$/, "")}/plans/${plan}`;
}

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 4800;
