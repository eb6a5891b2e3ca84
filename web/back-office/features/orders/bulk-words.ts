import type { BulkAct, BulkOutcome } from "../../../../contract/staff-orders/list.ts";

export type BulkAction = BulkAct["action"];

/** `1 order`, `12 orders` */
export const countOf = (count: number): string =>
  count === 1 ? "1 order" : `${count.toLocaleString("en-GB")} orders`;

interface BulkWords {
  readonly press: string;
  readonly title: (count: number) => string;
  readonly whatHappens: string;
  readonly confirm: (count: number) => string;
  /** What was done, of some orders. */
  readonly done: string;
}

/** What each action is called, and what it will do. */
export const bulkActions: Readonly<Record<BulkAction, BulkWords>> = {
  requestSubmission: {
    press: "Request submission…",
    title: (count) => `Request submission of ${countOf(count)}`,
    whatHappens:
      "Each paid order gets its promise and its confirmation by mail, and then goes to the GRO. Orders that were requested already stay as they are; unpaid ones are refused.",
    confirm: (count) => `Request for ${countOf(count)}`,
    done: "Submission requested",
  },
  recordDispatch: {
    press: "Mark despatched…",
    title: (count) => `Mark ${countOf(count)} despatched`,
    whatHappens:
      "Each customer is told by mail that the certificate is on its way, and each order is fulfilled. This cannot be undone. Orders that the GRO does not have are refused.",
    confirm: (count) => `Mark ${countOf(count)} despatched`,
    done: "Marked despatched",
  },
  addNote: {
    press: "Add note…",
    title: (count) => `Add a note to ${countOf(count)}`,
    whatHappens:
      "The same note is sealed for each order. Only people who work here can read it, and it is destroyed with the contact data.",
    confirm: (count) => `Add to ${countOf(count)}`,
    done: "Note added",
  },
};

const refusals: Readonly<Record<string, string>> = {
  "not-paid": "it is not paid",
  "not-submitted": "the GRO does not have it",
  "already-cancelled": "it was cancelled",
  "already-failed": "it has failed",
  "already-fulfilled": "it is fulfilled already",
  "already-dispatched": "it was despatched already",
  "contact-purged": "its contact data is destroyed",
  "unknown-order": "there is no such order",
  busy: "too much was going on: try again",
  unavailable: "the records could not be reached: try again",
  "record-unreadable": "its history cannot be read until it is put right",
};

/** What came of one order, in words. */
export function outcomeWords({ outcome, why }: BulkOutcome, action: BulkAction): string {
  if (outcome === "done") return bulkActions[action].done;
  if (outcome === "unchanged") return "Nothing to do: it was so already";
  const because = why === null ? "" : `: ${refusals[why] ?? why.replaceAll("-", " ")}`;
  return `${outcome === "refused" ? "Refused" : "Not done"}${because}`;
}
