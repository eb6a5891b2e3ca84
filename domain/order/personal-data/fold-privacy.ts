import type { Recorded } from "../../decider.ts";
import { forget, owe } from "../../open-work.ts";
import type { OrderEventData } from "../events.ts";
import { awaitsDispatch } from "../phases.ts";
import type { Folds, Order } from "../state.ts";
import type { DataClass } from "../vocabulary.ts";
import { destroyed, supersede, withoutClass } from "./vault-records.ts";

/** From here on the records count as gone; what is named after this is owed another purge. */
function begun(
  order: Order,
  dataClass: DataClass,
  { rule, records }: OrderEventData<"ContactDataPurgeStarted">,
  { at, eventId }: Recorded,
): Order {
  const record = { ...order.purges[dataClass], open: { startedBy: eventId, at, rule, records } };
  return {
    ...order,
    vault: withoutClass(order.vault, dataClass),
    purges: { ...order.purges, [dataClass]: record },
  };
}

function done(
  order: Order,
  dataClass: DataClass,
  { startedBy, ...receipt }: OrderEventData<"SensitiveDataPurged">,
  at: string,
): Order {
  const record = { purgedAt: at, receipt, failures: 0, failedAt: null };
  return {
    ...order,
    vault: startedBy === null ? withoutClass(order.vault, dataClass) : order.vault,
    purges: { ...order.purges, [dataClass]: record },
  };
}

/**
 * The confirmation goes to the new address while it can still matter: from the request until the certificate is on its
 * way.
 */
function confirmAgain(order: Order, eventId: string, at: string): Order {
  const { phase, confirmation } = order;
  if (order.promise === null || !awaitsDispatch(phase)) return order;
  return {
    ...order,
    confirmation: confirmation.state === "sent" ? confirmation : { state: "owed", about: eventId, at },
    mails: owe(forget(order.mails, "confirmation"), "confirmation", eventId, at),
  };
}

/** Personal data: replaced, purged, asked to be erased. */
export const privacyFolds: Folds<
  | "ContactCorrected"
  | "NoteAdded"
  | "PersonalDataRevealed"
  | "SensitiveDataPurgeStarted"
  | "SensitiveDataPurged"
  | "PurgeFailed"
  | "ErasureRequested"
  | "ContactDataPurgeStarted"
  | "ContactDataPurged"
  | "ReplacedRecordPurged"
> = {
  NoteAdded: (order, { noteRef }) => ({
    ...order,
    vault: { ...order.vault, notes: [...order.vault.notes, noteRef] },
  }),
  // For the access log; the order stays as it is.
  PersonalDataRevealed: (order) => order,
  ContactCorrected: (order, { contactRef }, { at, eventId }) =>
    confirmAgain({ ...order, vault: supersede(order.vault, "contact", contactRef, at) }, eventId, at),
  SensitiveDataPurgeStarted: (order, data, recorded) => begun(order, "application", data, recorded),
  SensitiveDataPurged: (order, receipt, { at, eventId }) => ({
    ...done(order, "application", receipt, at),
    // Without a payment all data goes, the address too.
    mails: order.payments.length === 0 ? order.mails : owe(order.mails, "dataDeleted", eventId, at),
  }),
  ReplacedRecordPurged: (order, { recordRef }) => ({ ...order, vault: destroyed(order.vault, recordRef) }),
  PurgeFailed: (order, { dataClass }, { at }) => {
    const earlier = order.purges[dataClass];
    const now = { ...earlier, failures: earlier.failures + 1, failedAt: at };
    return { ...order, purges: { ...order.purges, [dataClass]: now } };
  },
  ErasureRequested: (order, _, { at }) => ({ ...order, erasureRequestedAt: order.erasureRequestedAt ?? at }),
  ContactDataPurgeStarted: (order, data, recorded) => begun(order, "contact", data, recorded),
  ContactDataPurged: (order, receipt, { at }) => ({
    ...done(order, "contact", { ...receipt, secondsSinceSubmission: null }, at),
    // There is no address left to write to.
    mails: { ...order.mails, owed: [] },
  }),
};
