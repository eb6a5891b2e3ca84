import { secondsBetween } from "../../instant.ts";
import type { OrderCommandData } from "../commands.ts";
import type { OrderEvent } from "../events.ts";
import { hasOpenDispute } from "../payment/money.ts";
import { awaitsRefund } from "../payment/refund-tasks.ts";
import { type Decisions, forbidden } from "../rules.ts";
import type { Order } from "../state.ts";
import type { DataClass, PurgeRule, Revealable } from "../vocabulary.ts";
import { lapseOf } from "./purge-tasks.ts";
import { namedRecords, questionOf } from "./vault-records.ts";

type Outcome = OrderCommandData<"PurgeSensitiveData">;
type Purged = Extract<Outcome, { outcome: "purged" }>;

/**
 * @throws Refused when the class is, or is again, needed, or lapses by another rule than the one that was believed to
 * hold
 */
function guardPurge(order: Order, dataClass: DataClass, rule: PurgeRule): void {
  if (dataClass === "contact") {
    if (hasOpenDispute(order)) throw forbidden(order, "dispute-open");
    if (awaitsRefund(order)) throw forbidden(order, "refund-open");
    if (rule === "neverPaid" && order.payments.length > 0) throw forbidden(order, "already-paid");
    if (rule === "erasure" && order.erasureRequestedAt === null)
      throw forbidden(order, "no-erasure-requested");
  }
  if (lapseOf(order, dataClass)?.rule !== rule) throw forbidden(order, "still-needed");
}

/** Names what is to be purged, as the order stands: appended at the revision it was read at, so nothing is left out. */
function startPurge(order: Order, dataClass: DataClass, rule: PurgeRule) {
  const records = namedRecords(order.vault, dataClass).map((record) => ({ ...record }));
  if (order.purges[dataClass].open || records.length === 0) return [];
  guardPurge(order, dataClass, rule);
  return [{ rule, records }];
}

/** The outcome of the purge that is under way; nothing if it is another one or has ended. */
function endPurge(
  order: Order,
  dataClass: DataClass,
  outcome: Outcome,
  purged: (receipt: Omit<Purged, "outcome"> & { rule: PurgeRule }) => OrderEvent,
): OrderEvent[] {
  const { open } = order.purges[dataClass];
  if (open?.startedBy !== outcome.startedBy) return [];
  if (outcome.outcome === "failed") {
    const { code, attempt } = outcome;
    return [{ type: "PurgeFailed", data: { dataClass, code, attempt } }];
  }
  const { outcome: _, ...receipt } = outcome;
  return [purged({ ...receipt, rule: open.rule })];
}

/** @throws Refused when there is nothing of it to look at */
function assertRevealable(order: Order, dataClass: Revealable): void {
  if (dataClass === "question") {
    if (questionOf(order.vault) === null) throw forbidden(order, "no-question-text");
    return;
  }
  if (order.vault[dataClass] !== null) return;
  if (dataClass === "contact") throw forbidden(order, "contact-purged");
  const { purgedAt, open } = order.purges.application;
  throw forbidden(order, purgedAt === null && !open ? "variant-missing" : "application-purged");
}

/**
 * Notes, reveals and purges: a purge is started here, done by the vault, and ended here with its
 * receipt. Between the two its records are gone for every other command.
 */
export const privacyDecisions: Decisions<
  | "AddNote"
  | "RevealPersonalData"
  | "StartSensitiveDataPurge"
  | "PurgeSensitiveData"
  | "RequestErasure"
  | "StartContactDataPurge"
  | "PurgeContactData"
  | "PurgeReplacedRecord"
> = {
  AddNote(order, { noteRef }) {
    // It would outlive the data that it is about.
    if (order.vault.contact === null) throw forbidden(order, "contact-purged");
    return order.vault.notes.includes(noteRef) ? [] : [{ type: "NoteAdded", data: { noteRef } }];
  },

  RevealPersonalData(order, data) {
    assertRevealable(order, data.dataClass);
    return [{ type: "PersonalDataRevealed", data }];
  },

  StartSensitiveDataPurge: (order, { rule }) =>
    startPurge(order, "application", rule).map((data) => ({ type: "SensitiveDataPurgeStarted", data })),

  PurgeSensitiveData: (order, outcome, { at }) =>
    endPurge(order, "application", outcome, (receipt) => {
      const { submission } = order;
      const secondsSinceSubmission = submission ? secondsBetween(submission.submittedAt, at) : null;
      return { type: "SensitiveDataPurged", data: { ...receipt, secondsSinceSubmission } };
    }),

  RequestErasure: (order) =>
    order.erasureRequestedAt !== null || order.vault.contact === null
      ? []
      : [{ type: "ErasureRequested", data: {} }],

  StartContactDataPurge: (order, { rule }) =>
    startPurge(order, "contact", rule).map((data) => ({ type: "ContactDataPurgeStarted", data })),

  PurgeContactData: (order, outcome) =>
    endPurge(order, "contact", outcome, (receipt) => ({ type: "ContactDataPurged", data: receipt })),

  PurgeReplacedRecord({ vault }, data) {
    if (vault.questions.some(({ ref, closedAt }) => ref === data.recordRef && closedAt !== null))
      return [{ type: "GROQuestionPurged", data }];
    const record = vault.superseded.find(({ ref }) => ref === data.recordRef);
    if (record === undefined || record.destroyed) return [];
    return [{ type: "ReplacedRecordPurged", data: { ...data, dataClass: record.dataClass } }];
  },
};
