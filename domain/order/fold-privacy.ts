import type { OrderEventData } from "./events.ts";
import type { Folds } from "./fold.ts";
import { forget, owe } from "./fold-mails.ts";
import type { Order, PurgeRecord } from "./state.ts";
import { recordsWithout, supersede } from "./vault-records.ts";

const done = (at: string, receipt: OrderEventData<"SensitiveDataPurged">): PurgeRecord => ({
  purgedAt: at,
  receipt,
  failures: 0,
  failedAt: null,
});

/** The confirmation goes to the new address while it can still matter: from the request until the certificate is on its way. */
function confirmAgain(order: Order, eventId: string, at: string): Order {
  const { phase, confirmation } = order;
  if (
    order.promise === null ||
    !(phase === "Paid" || phase === "Confirmed" || phase === "Submitting" || phase === "Submitted")
  ) {
    return order;
  }
  return {
    ...order,
    confirmation: confirmation.state === "sent" ? confirmation : { state: "owed", about: eventId, at },
    mails: owe(forget(order.mails, "confirmation"), "confirmation", eventId, at),
  };
}

/** Personal data: replaced, destroyed, asked to be forgotten. */
export const privacyFolds: Folds<
  | "ContactCorrected"
  | "NoteAdded"
  | "PersonalDataRevealed"
  | "SensitiveDataPurged"
  | "PurgeFailed"
  | "ErasureRequested"
  | "ContactDataPurged"
> = {
  NoteAdded: (order, { noteRef }) => ({
    ...order,
    vault: { ...order.vault, notes: [...order.vault.notes, noteRef] },
  }),
  // It matters to who reads the log, and changes nothing about the order.
  PersonalDataRevealed: (order) => order,
  ContactCorrected: (order, { contactRef }, { at, eventId }) =>
    confirmAgain({ ...order, vault: supersede(order.vault, "contact", contactRef, at) }, eventId, at),
  SensitiveDataPurged: (order, receipt, { at, eventId }) => ({
    ...order,
    vault: {
      ...order.vault,
      application: null,
      signature: null,
      superseded: recordsWithout(order.vault, "application"),
    },
    purges: { ...order.purges, application: done(at, receipt) },
    // Who never paid is forgotten altogether: nobody is left to write to.
    mails: order.payments.length === 0 ? order.mails : owe(order.mails, "dataDeleted", eventId, at),
  }),
  PurgeFailed: (order, { dataClass }, { at }) => {
    const earlier = order.purges[dataClass];
    const now = { ...earlier, failures: earlier.failures + 1, failedAt: at };
    return { ...order, purges: { ...order.purges, [dataClass]: now } };
  },
  ErasureRequested: (order, _, { at }) => ({ ...order, erasureRequestedAt: order.erasureRequestedAt ?? at }),
  ContactDataPurged: (order, receipt, { at }) => ({
    ...order,
    vault: {
      ...order.vault,
      contact: null,
      groReferences: [],
      notes: [],
      superseded: recordsWithout(order.vault, "contact"),
    },
    purges: { ...order.purges, contact: done(at, { ...receipt, secondsSinceSubmission: null }) },
    // Nobody is left to write to.
    mails: { ...order.mails, owed: [] },
  }),
};
