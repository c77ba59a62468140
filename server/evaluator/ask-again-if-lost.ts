import { WarehouseError } from "../core/catalog/warehouse-error.ts";

/**
 * Asks once more, over another connection, what a lost one has left without an answer. For what may be asked twice:
 * reads, and transactions under a marker, where it also settles whether a COMMIT that was on its way came through. The
 * marker waits for the first try to end, and then is found or isn't.
 */
export async function askAgainIfLost<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WarehouseError) || error.fault.kind !== "connection_lost") throw error;
    return ask();
  }
}
