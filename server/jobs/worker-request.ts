import { z } from "zod";

/** What the server hands its worker, in its environment: arguments show in process lists, and a state URL may hold a password. */
export const WORKER_REQUEST = "WEIR_WORKER_REQUEST";

export const workerRequestSchema = z.object({
  place: z.object({ folder: z.string(), gateway: z.string().nullable(), dotenv: z.string().nullable() }),
  stateUrl: z.string().nullable(),
  project: z.string(),
  promotionPatienceMs: z.number(),
});
export type WorkerRequest = z.infer<typeof workerRequestSchema>;
