import { useState } from "react";
import type { TimelineEntry } from "../../../../../contract/staff-orders/order-page.ts";
import {
  type RevealedApplication,
  type RevealedContact,
  type RevealedQuestion,
  revealOrder,
} from "../../../../../contract/staff-orders/order-page.ts";
import { type RevealReason, revealReason } from "../../../../../domain/order/vocabulary.ts";
import { ApiError } from "../../../../api/problem.ts";
import { send } from "../../../../api/send.ts";
import { ActionDialog } from "../../../ui/action-dialog.tsx";

/** The server logs the reveal first. @throws ApiError 410 once destroyed */
async function openApplication(orderNumber: string, reason: RevealReason): Promise<RevealedApplication> {
  const body = { dataClass: "application", reason } as const;
  const answer = await send(revealOrder, { params: { orderNumber }, body });
  if (!("application" in answer)) throw new Error("Expected the application, got the contact data");
  return answer;
}

/** Contact data, GRO references and notes, likewise. */
async function openContact(orderNumber: string, reason: RevealReason): Promise<RevealedContact> {
  const body = { dataClass: "contact", reason } as const;
  const answer = await send(revealOrder, { params: { orderNumber }, body });
  if (!("contact" in answer)) throw new Error("Expected the contact data, got the application");
  return answer;
}

/** The text of the GRO's question, likewise. */
async function openQuestion(orderNumber: string, reason: RevealReason): Promise<RevealedQuestion> {
  const body = { dataClass: "question", reason } as const;
  const answer = await send(revealOrder, { params: { orderNumber }, body });
  if (!("question" in answer)) throw new Error("Expected the GRO's question, got a class of data");
  return answer;
}

type Shown<Data> = { readonly data: Data; readonly at: string } | null;

/**
 * Revealed data of an order, kept in memory and hidden on leaving the page. Revealing resolves to false if the data has
 * been destroyed.
 */
export function useReveals(
  orderNumber: string,
  entries: readonly TimelineEntry[],
  refresh: () => Promise<unknown>,
) {
  const [application, setApplication] = useState<Shown<RevealedApplication>>(null);
  const [contact, setContact] = useState<Shown<RevealedContact>>(null);
  const [question, setQuestion] = useState<Shown<RevealedQuestion>>(null);
  const opening = async <Data,>(
    open: () => Promise<Data>,
    show: (shown: Shown<Data>) => void,
  ): Promise<boolean> => {
    try {
      show({ data: await open(), at: new Date().toISOString() });
      await refresh();
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 410) throw failure;
      // Destroyed in the meantime: the page shows the receipt.
      await refresh();
      return false;
    }
  };
  return {
    application: unlessReplaced(application, entries, ["ApplicationAmended", "ApplicationReplaced"]),
    contact: unlessReplaced(contact, entries, ["ContactCorrected"]),
    question: unlessReplaced(question, entries, ["GROOutcomeRecorded", "ApplicationReplaced"]),
    revealApplication: (reason: RevealReason) =>
      opening(() => openApplication(orderNumber, reason), setApplication),
    revealContact: (reason: RevealReason) => opening(() => openContact(orderNumber, reason), setContact),
    hideApplication: () => setApplication(null),
    hideContact: () => setContact(null),
    revealQuestion: (reason: RevealReason) => opening(() => openQuestion(orderNumber, reason), setQuestion),
    hideQuestion: () => setQuestion(null),
  };
}

/** Hides revealed data that has been replaced since. */
function unlessReplaced<Data extends { revision: number }>(
  shown: Shown<Data>,
  entries: readonly TimelineEntry[],
  replacing: readonly string[],
): Shown<Data> {
  const since = shown?.data.revision ?? 0;
  return entries.some(({ revision, type }) => revision > since && replacing.includes(type)) ? null : shown;
}

export type Reveals = ReturnType<typeof useReveals>;

/** The reasons for revealing personal data that events can record, in words. */
const reasons = [
  { value: "customerAsked", words: "The customer asked" },
  { value: "ticket", words: "To answer a ticket" },
  { value: "manualSubmission", words: "To submit it by hand" },
  { value: "groQuery", words: "The GRO has a question" },
  { value: "amendment", words: "To correct or amend it" },
  { value: "complaint", words: "To answer a complaint" },
  { value: "fraudCheck", words: "To check for fraud" },
  { value: "subjectAccess", words: "Subject access request" },
  { value: "erasureRequest", words: "Erasure request" },
] as const;

interface RevealDialogProps {
  readonly title: string;
  readonly what: string;
  readonly confirmLabel: string;
  readonly onReveal: (reason: RevealReason) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a reason before personal data is shown. */
export function RevealDialog({ title, what, confirmLabel, onReveal, onClose }: RevealDialogProps) {
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={title}
      whatHappens={<>{what} The order’s log permanently records who viewed it, when and why.</>}
      confirmLabel={confirmLabel}
      reasons={reasons}
      withNote={false}
      onConfirm={async ({ reason }) => {
        await onReveal(revealReason.parse(reason));
      }}
    />
  );
}
