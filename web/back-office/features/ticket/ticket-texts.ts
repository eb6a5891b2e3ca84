import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { statusInSentence } from "../../../../domain/order/status.ts";
import {
  type CannedValues,
  cannedVariables,
  fillCannedAnswer,
} from "../../../../domain/settings/canned-answers.ts";
import { ApiError, referenceWords } from "../../../api/problem.ts";
import { typedWork } from "../../../identity/page-identity.ts";
import { longDay } from "../../../ui/dates.ts";

export type DraftKind = "reply" | "note";

const keyOf = (ticketNumber: string, kind: DraftKind): string => `${typedWork}ticket-${kind}:${ticketNumber}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Drafts kept in this tab until they are sent, the user signs out or the tab closes. Holds only what staff typed, no
 * ticket data.
 */
export const drafts = (store: Store) => ({
  read: (ticketNumber: string, kind: DraftKind): string => store.getItem(keyOf(ticketNumber, kind)) ?? "",
  keep(ticketNumber: string, kind: DraftKind, text: string): void {
    if (text === "") store.removeItem(keyOf(ticketNumber, kind));
    else store.setItem(keyOf(ticketNumber, kind), text);
  },
});

/** Unfilled placeholders of a text, in words. */
export const leftOpen = (text: string): readonly string[] =>
  fillCannedAnswer(text, {}).missing.map((name) => cannedVariables[name]);

type Known = Pick<OpenedTicket, "contact" | "order" | "statedOrderNumber">;

/** Values for the placeholders of a canned answer. */
export function valuesOf({ contact, order, statedOrderNumber }: Known, companyName: string): CannedValues {
  const orderNumber = order?.orderNumber ?? statedOrderNumber;
  return {
    companyName,
    ...(contact && { customerName: contact.name }),
    ...(orderNumber !== null && { orderNumber }),
    ...(order && { status: statusInSentence(order.status) }),
    ...(order?.despatchBy && { expectedDespatch: longDay(order.despatchBy) }),
  };
}

/** Why an action was refused, and what to do. */
export function refusalWords(failure: unknown): string {
  if (!(failure instanceof ApiError))
    return "There was no response. Try again when you are back online: nothing will be done twice.";
  if (failure.status >= 500)
    return ["It may have been done. Try again: nothing will be done twice.", ...referenceWords(failure)].join(
      " ",
    );
  if (failure.code === "changed-meanwhile")
    return "This ticket changed while you were working on it, so nothing was sent. Read the new entries above, then try again.";
  if (failure.code === "forbidden-in-phase")
    return "This is not possible: the ticket has been destroyed, or the action does not apply to it.";
  const fields = failure.fields.map(({ message }) => message).join(" ");
  return fields || failure.detail || "The request was rejected. Nothing has changed.";
}
