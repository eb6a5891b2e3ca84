import { secondsBetween } from "../instant.ts";
import type { OrderCommandData } from "./commands.ts";
import { type Decisions, forbidden } from "./decision.ts";
import type { OrderEvent } from "./events.ts";
import { hasOpenDispute } from "./money.ts";
import { awaitsRefund } from "./owed-refunds.ts";
import type { Order } from "./state.ts";
import { isAlive } from "./vault-records.ts";
import type { DataClass } from "./vocabulary.ts";

type Outcome = OrderCommandData<"PurgeSensitiveData">;
type Purged = Extract<Outcome, { outcome: "purged" }>;

const purgeFailed = (
  dataClass: DataClass,
  { code, attempt }: Extract<Outcome, { outcome: "failed" }>,
): OrderEvent => ({
  type: "PurgeFailed",
  data: { dataClass, code, attempt },
});

function guardContactPurge(order: Order, { rule }: Purged): void {
  if (hasOpenDispute(order)) throw forbidden(order, "dispute-open");
  if (awaitsRefund(order)) throw forbidden(order, "refund-open");
  if (rule === "neverPaid" && order.payments.length > 0) throw forbidden(order, "already-paid");
  if (rule === "erasure" && order.erasureRequestedAt === null) throw forbidden(order, "no-erasure-requested");
}

/** @throws Refused when there is nothing of the class to look at */
function assertRevealable(order: Order, dataClass: DataClass): void {
  if (order.vault[dataClass] !== null) return;
  if (dataClass === "contact") throw forbidden(order, "contact-purged");
  const { purgedAt } = order.purges.application;
  throw forbidden(order, purgedAt === null ? "variant-missing" : "application-purged");
}

/** Writing about people, looking at their data, and destroying it. The vault has done so before the command comes: this writes the receipt. */
export const privacyDecisions: Decisions<
  "AddNote" | "RevealPersonalData" | "PurgeSensitiveData" | "RequestErasure" | "PurgeContactData"
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

  PurgeSensitiveData(order, data, { at }) {
    if (data.outcome === "failed") return [purgeFailed("application", data)];
    if (!isAlive(order, "application")) return [];
    const { outcome: _, ...receipt } = data;
    const secondsSinceSubmission = order.submission ? secondsBetween(order.submission.submittedAt, at) : null;
    return [{ type: "SensitiveDataPurged", data: { ...receipt, secondsSinceSubmission } }];
  },

  RequestErasure: (order) =>
    order.erasureRequestedAt !== null || order.vault.contact === null
      ? []
      : [{ type: "ErasureRequested", data: {} }],

  PurgeContactData(order, data) {
    if (data.outcome === "failed") return [purgeFailed("contact", data)];
    if (!isAlive(order, "contact")) return [];
    guardContactPurge(order, data);
    const { outcome: _, ...receipt } = data;
    return [{ type: "ContactDataPurged", data: receipt }];
  },
};
