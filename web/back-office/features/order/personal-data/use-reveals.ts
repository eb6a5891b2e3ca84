import { useState } from "react";
import type { RevealedApplication, RevealedContact } from "../../../../../contract/staff-orders/reveals.ts";
import { revealOrder } from "../../../../../contract/staff-orders/reveals.ts";
import type { TimelineEntry } from "../../../../../contract/staff-orders/timeline.ts";
import type { RevealReason } from "../../../../../domain/order/vocabulary.ts";
import { ApiError } from "../../../../api/problem.ts";
import { send } from "../../../../api/send.ts";

/** The look is in the order's log before. Kept in memory only. @throws ApiError, 410 once destroyed */
async function openApplication(orderNumber: string, reason: RevealReason): Promise<RevealedApplication> {
  const body = { dataClass: "application", reason } as const;
  const answer = await send(revealOrder, { params: { orderNumber }, body });
  if (!("application" in answer)) throw new Error("The contact came in place of the application");
  return answer;
}

/** The same for whom we write to, what the GRO calls the order, and the notes. */
async function openContact(orderNumber: string, reason: RevealReason): Promise<RevealedContact> {
  const body = { dataClass: "contact", reason } as const;
  const answer = await send(revealOrder, { params: { orderNumber }, body });
  if (!("contact" in answer)) throw new Error("The application came in place of the contact");
  return answer;
}

/** Something that is shown, and when it was opened. */
export type Shown<Data> = { readonly data: Data; readonly at: string } | null;

/**
 * What of an order is revealed on this page. Kept in memory alone, so that it hides again when the page is left. Revealing answers
 * whether there was anything left to show.
 */
export function useReveals(
  orderNumber: string,
  entries: readonly TimelineEntry[],
  refresh: () => Promise<unknown>,
) {
  const [application, setApplication] = useState<Shown<RevealedApplication>>(null);
  const [contact, setContact] = useState<Shown<RevealedContact>>(null);
  const opening = async <Data>(
    open: () => Promise<Data>,
    show: (shown: Shown<Data>) => void,
  ): Promise<boolean> => {
    try {
      show({ data: await open(), at: new Date().toISOString() });
      await refresh();
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 410) throw failure;
      // Too late by a moment: the page shows the receipt instead.
      await refresh();
      return false;
    }
  };
  return {
    application: unlessReplaced(application, entries, ["ApplicationAmended", "ApplicationReplaced"]),
    contact: unlessReplaced(contact, entries, ["ContactCorrected"]),
    revealApplication: (reason: RevealReason) =>
      opening(() => openApplication(orderNumber, reason), setApplication),
    revealContact: (reason: RevealReason) => opening(() => openContact(orderNumber, reason), setContact),
    hideApplication: () => setApplication(null),
    hideContact: () => setContact(null),
  };
}

/** What somebody set right since it was shown must not stand there any longer as if it still held. */
function unlessReplaced<Data extends { revision: number }>(
  shown: Shown<Data>,
  entries: readonly TimelineEntry[],
  replacing: readonly string[],
): Shown<Data> {
  const since = shown?.data.revision ?? 0;
  return entries.some(({ revision, type }) => revision > since && replacing.includes(type)) ? null : shown;
}

export type Reveals = ReturnType<typeof useReveals>;
