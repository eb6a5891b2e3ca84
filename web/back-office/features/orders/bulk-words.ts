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
  /** Outcome of one order, and heading of the results. */
  readonly done: string;
}

export const bulkActions: Readonly<Record<BulkAction, BulkWords>> = {
  requestSubmission: {
    press: "Request submission…",
    title: (count) => `Request submission of ${countOf(count)}`,
    whatHappens:
      "Each paid order gets a despatch date and a confirmation email, and is then submitted to the GRO. Orders already requested do not change; unpaid orders are skipped.",
    confirm: (count) => `Request for ${countOf(count)}`,
    done: "Submission requested",
  },
  recordDispatch: {
    press: "Mark despatched…",
    title: (count) => `Mark ${countOf(count)} despatched`,
    whatHappens:
      "We email each customer that the certificate is on its way and mark each order fulfilled. This cannot be undone. Orders that are not with the GRO are skipped.",
    confirm: (count) => `Mark ${countOf(count)} despatched`,
    done: "Marked despatched",
  },
  addNote: {
    press: "Add note…",
    title: (count) => `Add a note to ${countOf(count)}`,
    whatHappens:
      "The same note is sealed with each order. Only staff can read it, and it is destroyed with the contact data.",
    confirm: (count) => `Add to ${countOf(count)}`,
    done: "Note added",
  },
};

const refusals: Readonly<Record<string, string>> = {
  "not-paid": "it is not paid",
  "not-submitted": "it is not with the GRO",
  "already-cancelled": "it has been cancelled",
  "already-failed": "it has failed",
  "already-fulfilled": "it is already fulfilled",
  "already-dispatched": "it has already been despatched",
  "contact-purged": "its contact data has been destroyed",
  "unknown-order": "the order does not exist",
  busy: "the system was busy: try again",
  unavailable: "the records could not be reached: try again",
  "record-unreadable": "its history cannot be read until it is repaired",
};

export function outcomeWords({ outcome, why }: BulkOutcome, action: BulkAction): string {
  if (outcome === "done") return bulkActions[action].done;
  if (outcome === "unchanged") return "Already done";
  const because = why === null ? "" : `: ${refusals[why] ?? why.replaceAll("-", " ")}`;
  return `${outcome === "refused" ? "Skipped" : "Failed"}${because}`;
}
