import type { Recorded } from "../../decider.ts";
import { forget, owe, readdressed } from "../../mailbox.ts";
import type { OrderEventData } from "../events.ts";
import { awaitsConfirmation, orderMailRules } from "../mail-rules.ts";
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

/** The confirmation goes to the new address while it can still matter, even if it arrived at the old one. */
function confirmAgain(order: Order, eventId: string, at: string): Order {
  const { confirmation } = order;
  if (!awaitsConfirmation(order)) return order;
  return {
    ...order,
    confirmation:
      confirmation.state === "sent" ? confirmation : { ...confirmation, state: "owed", about: eventId, at },
    mails: owe(forget(order.mails, "confirmation"), "confirmation", eventId, at),
  };
}

/**
 * Tells the previous address, so that its owner learns of an order that was taken over. No mail has gone there before a
 * payment, and once erasure is requested the record is not kept for it.
 */
function tellPrevious(
  order: Order,
  { previousContactRef, emailChanged }: OrderEventData<"ContactCorrected">,
  { at, eventId }: Recorded,
): Order {
  if (!emailChanged || order.payments.length === 0 || order.erasureRequestedAt !== null) return order;
  const notice = {
    template: "emailChanged",
    about: eventId,
    since: at,
    contactRef: previousContactRef,
  } as const;
  return { ...order, mails: { ...order.mails, owed: [...order.mails.owed, notice] } };
}

/** The order once its erasure is requested: replaced records are not kept for a mail any longer. */
export const withErasureRequested = (order: Order, at: string): Order => ({
  ...order,
  erasureRequestedAt: order.erasureRequestedAt ?? at,
  mails: { ...order.mails, owed: order.mails.owed.filter(({ contactRef }) => contactRef === undefined) },
});

/** The links asked for so far went to another address: the owner of the new one need not wait. */
const withoutLinksAsked = ({ linksRequestedAt: _, ...order }: Order): Order => order;

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
  | "GROQuestionPurged"
> = {
  NoteAdded: (order, { noteRef }) => ({
    ...order,
    vault: { ...order.vault, notes: [...order.vault.notes, noteRef] },
  }),
  // For the access log; the order stays as it is.
  PersonalDataRevealed: (order) => order,
  ContactCorrected: (before, data, recorded) => {
    const { at, eventId } = recorded;
    const order = data.emailChanged ? withoutLinksAsked(before) : before;
    const corrected = {
      ...order,
      vault: supersede(order.vault, "contact", data.contactRef, at),
      mails: readdressed(order.mails, data.emailChanged, at, orderMailRules(order)),
      emailChanges: order.emailChanges + (data.emailChanged ? 1 : 0),
    };
    return tellPrevious(confirmAgain(corrected, eventId, at), data, recorded);
  },
  SensitiveDataPurgeStarted: (order, data, recorded) => begun(order, "application", data, recorded),
  SensitiveDataPurged: (order, receipt, { at, eventId }) => ({
    ...done(order, "application", receipt, at),
    // Without a payment all data goes, the address too.
    mails: order.payments.length === 0 ? order.mails : owe(order.mails, "dataDeleted", eventId, at),
  }),
  ReplacedRecordPurged: (order, { recordRef }) => ({
    ...order,
    vault: destroyed(order.vault, recordRef),
    // The address of a mail that could not be sent in time is gone.
    mails: { ...order.mails, owed: order.mails.owed.filter(({ contactRef }) => contactRef !== recordRef) },
  }),
  GROQuestionPurged: (order, { recordRef }) => ({
    ...order,
    vault: { ...order.vault, questions: order.vault.questions.filter(({ ref }) => ref !== recordRef) },
  }),
  PurgeFailed: (order, { dataClass }, { at }) => {
    const earlier = order.purges[dataClass];
    const now = { ...earlier, failures: earlier.failures + 1, failedAt: at };
    return { ...order, purges: { ...order.purges, [dataClass]: now } };
  },
  ErasureRequested: (order, _, { at }) => withErasureRequested(order, at),
  ContactDataPurgeStarted: (order, data, recorded) => begun(order, "contact", data, recorded),
  ContactDataPurged: (order, receipt, { at }) => ({
    ...done(order, "contact", { ...receipt, secondsSinceSubmission: null }, at),
    // There is no address left to write to.
    mails: { ...order.mails, owed: [] },
  }),
};
