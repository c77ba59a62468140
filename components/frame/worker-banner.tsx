"use client";

import { Activity } from "lucide-react";
import { ageText, useNow } from "../ui/clock.tsx";
import { useStatus } from "./use-status.ts";

/** Says so while nothing can be carried out. */
export function WorkerBanner() {
  const status = useStatus();
  const now = useNow();
  if (status === undefined || status.worker.state === "running" || status.worker.state === "starting") return null;
  const { worker } = status;
  const seconds =
    worker.state === "restarting" ? Math.max(0, Math.ceil((Date.parse(worker.nextTryAt) - now) / 1_000)) : 0;
  return (
    <div className="banner" role="status">
      <Activity className="i" aria-hidden="true" />
      <span>
        {worker.state === "restarting"
          ? `The worker stopped (${ageText(now - Date.parse(worker.since))}${worker.restarts > 1 ? `, ${worker.restarts} times in a row` : ""}) and is started again${seconds > 0 ? ` in ${seconds} s` : " now"}. Runs pause meanwhile and go on where they were; nothing is lost.`
          : "The server is shutting down. Runs stop at a safe point and can be resumed."}
      </span>
    </div>
  );
}
