import { useState } from "react";
import { ApiError } from "../../../api/problem.ts";
import type { TimelineEntry } from "../../api/get-order-timeline.ts";
import {
  type RevealedApplication,
  type RevealedContact,
  revealApplication,
  revealContact,
} from "../../api/reveal-order.ts";

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
    revealApplication: (reason: string) =>
      opening(() => revealApplication(orderNumber, reason), setApplication),
    revealContact: (reason: string) => opening(() => revealContact(orderNumber, reason), setContact),
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
