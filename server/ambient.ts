import { randomBytes } from "node:crypto";
import type { Clock, Ids, Waiter } from "./ports/ambient.ts";

/** The real clock, real chance and real waiting: the only place outside tests where the product reads them. */
export const systemClock: Clock = { now: () => new Date().toISOString() };

export const systemIds: Ids = {
  // Milliseconds in base 36 sort by time until the year 5188; 10 random bytes make it unguessable.
  next: (prefix) => `${prefix}_${Date.now().toString(36)}${randomBytes(10).toString("hex")}`,
  jitter: () => Math.random(),
};

const LOOK_EVERY_MS = 25;

export const systemWaiter: Waiter = {
  wait: async (ms, signal) => {
    const until = Date.now() + ms;
    while (Date.now() < until && signal?.aborted !== true) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_EVERY_MS, until - Date.now())));
    }
  },
};
