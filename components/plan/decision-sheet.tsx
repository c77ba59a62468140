"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, Clock, Diamond, Eye } from "lucide-react";
import { Dialog } from "radix-ui";
import { useId, useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../api/api-provider.tsx";
import { faultOfClient } from "../api/fault.ts";
import type { PlanView } from "../api/outputs.ts";
import { objectRows } from "../objects/object-rows.ts";
import { useSeen } from "../objects/use-seen.ts";
import { FaultText } from "../ui/fault-panel.tsx";
import { Note } from "../ui/note.tsx";
import { useDraft } from "./use-draft.ts";

interface DecisionSheetProps {
  readonly view: PlanView;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** What is decided, on exactly which digest, and what hasn't been looked at. A rejection needs a reason; what was typed is kept. */
export function DecisionSheet({ view, open, onOpenChange }: DecisionSheetProps) {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const { seen } = useSeen(view.digest);
  const [reason, setReason] = useDraft(`reason.${view.digest}`);
  const [missing, setMissing] = useState(false);
  const field = useId();
  const rows = objectRows(view).filter(({ group }) => group !== "neutral");
  const unseen = rows.filter(({ id }) => !seen.has(id)).length;
  const outside = view.dependents.filter(({ managed }) => !managed);
  const decide = useMutation(
    trpc.plans.decide.mutationOptions({
      onSuccess: async (decision) => {
        onOpenChange(false);
        setReason("");
        const approved = decision.verdict === "approve";
        toast.custom(() => (
          <Note tone="done" title={approved ? `Approved for ${view.environment}` : "Rejected"}>
            {approved
              ? `It holds for digest ${decision.digest.slice(0, 8)} only. Nothing runs until somebody starts it.`
              : "The reason is kept with the plan."}
          </Note>
        ));
        await cache.invalidateQueries();
      },
      onError: () => cache.invalidateQueries({ queryKey: trpc.plans.standing.queryKey({ id: view.id }) }),
    }),
  );
  const send = (verdict: "approve" | "reject") => {
    const nothing = verdict === "reject" && reason.trim() === "";
    setMissing(nothing);
    if (nothing) document.getElementById(field)?.focus();
    else
      decide.mutate({
        planId: view.id,
        digest: view.digest,
        verdict,
        reason: reason.trim() === "" ? null : reason.trim(),
      });
  };
  const sending = decide.isPending ? decide.variables.verdict : null;
  const blocked = view.result !== "applicable";
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog centred" aria-describedby={undefined}>
          <header>
            <Dialog.Title>Decide about this plan for {view.environment}</Dialog.Title>
          </header>
          <div className="in">
            <ul className="rail checklist">
              <li>
                <Check className="i s ok" aria-hidden="true" />
                <span>{view.summary.line}</span>
              </li>
              <li>
                <Eye className={`i s ${unseen > 0 ? "att" : "ok"}`} aria-hidden="true" />
                <span>
                  {unseen > 0
                    ? `${unseen} of ${rows.length} rows not marked as seen by you`
                    : `All ${rows.length} rows seen by you`}
                </span>
              </li>
              <li>
                <Diamond
                  className={`i s ${outside.some(({ fate }) => fate !== "kept") ? "att" : "ok"}`}
                  aria-hidden="true"
                />
                <span>
                  {outside.length === 0
                    ? "Nothing outside the project depends on what changes"
                    : `${outside.length} outside object${outside.length === 1 ? "" : "s"}: ${outside.filter(({ fate }) => fate === "kept").length} kept, ${outside.filter(({ fate }) => fate === "lost").length} lost`}
                </span>
              </li>
              <li>
                <Clock className="i s wait" aria-hidden="true" />
                <span>
                  Holds for digest <b className="mono full">{view.digest.slice(0, 16)}</b> only, until{" "}
                  {view.environment} or a dependent moves. Approving starts nothing.
                </span>
              </li>
            </ul>
            <label className="lb" htmlFor={field}>
              Reason <span className="muted">{blocked ? "for rejecting" : "needed to reject, welcome otherwise"}</span>
            </label>
            <textarea
              className="input"
              id={field}
              value={reason}
              maxLength={4_000}
              placeholder="What has to change first"
              aria-invalid={missing}
              aria-describedby={missing ? `${field}-error` : undefined}
              onChange={(event) => {
                setReason(event.target.value);
                setMissing(false);
              }}
            />
            {missing && (
              <p className="err" id={`${field}-error`}>
                Say why, so that {view.author} knows what to change.
              </p>
            )}
            {decide.isError && (
              <div className="err" role="alert">
                <b>The decision was not saved.</b> What you typed is kept.
                <FaultText fault={faultOfClient(decide.error)} />
              </div>
            )}
          </div>
          <footer>
            <Dialog.Close className="btn quiet">Decide later</Dialog.Close>
            <span className="grow" />
            <button
              className="btn danger"
              type="button"
              disabled={decide.isPending}
              aria-busy={sending === "reject"}
              onClick={() => send("reject")}
            >
              {sending === "reject" && <span className="spin" />}
              {sending === "reject" ? "Rejecting" : "Reject this plan"}
            </button>
            {!blocked && (
              <button
                className="btn primary"
                type="button"
                disabled={decide.isPending}
                aria-busy={sending === "approve"}
                onClick={() => send("approve")}
              >
                {sending === "approve" && <span className="spin" />}
                {sending === "approve" ? "Approving" : "Approve this plan"}
              </button>
            )}
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
