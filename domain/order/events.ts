import { z } from "zod";
import { actorKinds, eventSchema, versionOne } from "../decider.ts";
import * as field from "../fields.ts";
import { mailBounce, mailOf, undeliverableMail } from "../mailbox.ts";
import { purgeStart } from "../open-work.ts";
import { mostLinkedDrafts } from "../saved-draft/vocabulary.ts";
import * as word from "./vocabulary.ts";

/**
 * Every fact of an order, in the order of its life. Past tense, never changed; a new shape gets a new schema version.
 * There is no free text: ids, closed lists, numbers, dates and references into the vault.
 */

const acceptance = z.strictObject({ version: field.ordinal, acceptedAt: field.instant });

/** Pence for one full copy; the three add up to the unit price. Postage is included in ours. */
const feePerCopy = z.strictObject({
  groFeePence: field.pence,
  /** The GRO's surcharge for a search without its index reference. */
  groSearchFeePence: field.pence,
  ourFeePence: field.pence,
});

const variant = {
  certificateType: word.certificateType,
  copies: field.copies,
  shortCopies: field.count,
  serviceLevel: word.serviceLevel,
  deliveryMethod: word.deliveryMethod,
  apostille: z.boolean(),
  groReferenceKnown: z.boolean(),
  unitPricePence: field.pence,
  totalPence: field.pence,
  priceListVersion: field.ordinal,
  feePerCopy,
  applicationRef: field.vaultReference,
};

const mail = mailOf(word.mailTemplate);

/** What a member of staff proposes, and a second person must approve. Proposals of all kinds are numbered together. */
const proposed = { proposal: field.ordinal, proposedBy: field.staffId };

const refund = { intentId: field.providerId, amountPence: field.pence };

/** `referenceRef` is the sealed reference of the transfer; null when the contact data was purged before. */
const bankTransfer = { ...refund, referenceRef: field.vaultReference.nullable() };

const disputeOutcome = { disputeId: field.providerId, outcome: word.disputeOutcome };

const withoutProposal = <Data extends object>(data: Data) => ({ ...data, proposal: null });

/**
 * A refund by the ids it has. One made by hand at the provider has no id of ours, one that the provider refused to make
 * none of its own.
 */
const reportedRefund = {
  refundId: field.refundId.nullable(),
  providerRefundId: field.providerId.nullable(),
  ...refund,
};

/**
 * Version 1 of a refund's outcome had no provider id: a refund made by hand at the provider took our next number, and
 * another one if it failed later. Webhook and policy have always put the provider's id into the command id, which
 * therefore tells which events are about one refund.
 */
const withProviderRefundId = <Data extends object>(data: Data, { commandId }: { commandId?: unknown }) => {
  const [, providerRefundId = null] =
    /^refund-([A-Za-z0-9_-]{1,120})-(?:succeeded|failed)$/.exec(String(commandId)) ?? [];
  return { ...data, providerRefundId };
};

/** What is about to be purged, named before any key is erased. */
const purgeStarted = purgeStart(word.purgeRule, word.purgedKind);

/** The receipt of a purge. */
const receipt = {
  /** The event that started it; null for purges from before events started them. */
  startedBy: field.id.nullable(),
  destroyed: z.array(word.purgedKind).min(1),
  rule: word.purgeRule,
  keyFingerprint: field.keyFingerprint,
  probe: word.probeResult,
  records: field.count,
};

/** The receipt of a single record's purge. */
const recordReceipt = {
  recordRef: field.vaultReference,
  keyFingerprint: field.keyFingerprint,
  probe: word.probeResult,
};

const cancellation = z.strictObject({ reason: word.cancellationReason, by: z.enum(actorKinds) });

const promise = z.strictObject({
  /** The working day for which the GRO counts it as received. */
  receivedOn: field.date,
  despatchBy: field.date,
});

/**
 * The fees after another application took the place of the first, if only one of the two has the GRO's index reference.
 * Null if they stay as they were, as in events from before fees could change.
 */
const newFees = z.strictObject({ groReferenceKnown: z.boolean(), feePerCopy }).nullable();

const withoutFees = <Data extends object>(data: Data) => ({ ...data, fees: null });

const draftIds = z.array(field.id).min(1).max(mostLinkedDrafts);

/** Version 1 of a receipt named no event that started the purge. */
const unstarted = { 1: <Data extends object>(data: Data) => ({ ...data, startedBy: null }) };

/** The schema of each event's data, with its current version. */
export const orderEventSchemas = {
  OrderCreated: {
    version: 2,
    /** Version 1 did not say which certificate it is for. */
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, certificateId: null }) },
    data: z.strictObject({
      orderId: field.id,
      orderNumber: field.orderNumber,
      reference: field.reference,
      quotedTotalPence: field.pence,
      terms: acceptance.nullable(),
      /** The express request to begin inside the 14 days of cancellation. */
      consent: acceptance.nullable(),
      contactRef: field.vaultReference,
      signatureRef: field.vaultReference.nullable(),
      /**
       * The same in orders made from copies of one tab. Null where the customer knowingly ordered another copy, and
       * from clients that keep no draft: such an order is compared with no other.
       */
      certificateId: field.id.nullable(),
    }),
  },
  /** Another order of the same customer is for the same certificate: this one takes its ids on. */
  SameCertificateFound: versionOne(
    z.strictObject({ certificateIds: z.array(field.id).min(1).max(word.mostCertificateIds) }),
  ),
  /** The saved drafts that the order completes. */
  SavedDraftsLinked: versionOne(z.strictObject({ draftIds })),
  /** They were ended because the order is paid for. */
  SavedDraftsEnded: versionOne(z.strictObject({})),
  VariantAdded: versionOne(z.strictObject(variant)),
  VariantReplaced: versionOne(z.strictObject({ ...variant, previousApplicationRef: field.vaultReference })),
  PaymentRequested: {
    version: 2,
    /** Version 1 was of a time when each order was paid for alone. */
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, checkoutId: null }) },
    data: z.strictObject({
      intentId: field.providerId,
      /** The order's share of the intent. */
      amountPence: field.pence,
      attempt: field.ordinal,
      /** The intent this one follows, cancelled at the provider before. */
      closedIntentId: field.providerId.nullable(),
      /** The orders that the intent pays for together; null where it pays for this one alone. */
      checkoutId: field.id.nullable(),
    }),
  },
  PaymentFailed: versionOne(z.strictObject({ intentId: field.providerId, code: word.paymentFailureCode })),
  PaymentConfirmed: versionOne(z.strictObject({ intentId: field.providerId, amountPence: field.pence })),
  PaymentReceivedUnexpectedly: versionOne(
    z.strictObject({ intentId: field.providerId, amountPence: field.pence }),
  ),
  SubmissionRequested: versionOne(z.strictObject({ promise })),
  ConfirmationSent: versionOne(mail),
  ConfirmationUndeliverable: undeliverableMail(word.mailTemplate),
  MailSent: versionOne(mail),
  MailUndeliverable: undeliverableMail(word.mailTemplate),
  /** A mail that was sent came back, or was reported as unwanted. */
  MailBounced: versionOne(mailBounce(word.mailTemplate)),
  /** Links to all orders of the same address were requested. The orders are found when the mail is written. */
  OrderLinksRequested: versionOne(z.strictObject({})),
  ContactCorrected: {
    version: 2,
    /** Version 1 did not tell, and the previous address got no mail. */
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, emailChanged: false }) },
    data: z.strictObject({
      contactRef: field.vaultReference,
      previousContactRef: field.vaultReference,
      emailChanged: z.boolean(),
    }),
  },
  ApplicationAmended: {
    version: 2,
    upcasts: { 1: withoutFees },
    data: z.strictObject({
      applicationRef: field.vaultReference,
      previousApplicationRef: field.vaultReference,
      fees: newFees,
    }),
  },
  SubmissionStarted: versionOne(
    z.strictObject({ attempt: field.ordinal, channel: word.submissionChannel, key: field.submissionKey }),
  ),
  SubmissionFailed: versionOne(
    z.strictObject({
      attempt: field.ordinal,
      code: word.submissionFailureCode,
      /** True when the GRO certainly does not have it. */
      certain: z.boolean(),
    }),
  ),
  SubmittedToGRO: versionOne(
    z.strictObject({
      /** Null when staff report a submission that no attempt of ours began. */
      attempt: field.ordinal.nullable(),
      /** The GRO's order reference; null while only its later answer proves the submission. */
      groReferenceRef: field.vaultReference.nullable(),
      submittedAt: field.instant,
    }),
  ),
  SensitiveDataPurgeStarted: versionOne(purgeStarted),
  SensitiveDataPurged: {
    version: 2,
    upcasts: unstarted,
    data: z.strictObject({ ...receipt, secondsSinceSubmission: field.count.nullable() }),
  },
  PurgeFailed: versionOne(
    z.strictObject({ dataClass: word.dataClass, code: word.purgeFailureCode, attempt: field.ordinal }),
  ),
  GROOutcomeRecorded: {
    version: 2,
    /** Version 1 had no text. */
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, questionRef: null }) },
    data: z.strictObject({
      attempt: field.ordinal.nullable(),
      outcome: word.groOutcome,
      /** The sealed text of a question; null without one. */
      questionRef: field.vaultReference.nullable(),
    }),
  },
  /** The text of a question that was answered, or closed without an answer, was purged. */
  GROQuestionPurged: versionOne(z.strictObject(recordReceipt)),
  ApplicationReplaced: {
    version: 3,
    upcasts: {
      /** Version 1 left the promise as it was. */
      1: <Data extends object>(data: Data) => ({ ...data, promise: null }),
      2: withoutFees,
    },
    data: z.strictObject({
      applicationRef: field.vaultReference,
      /** Counted anew from the answer; null when the earlier one stands. */
      promise: promise.nullable(),
      fees: newFees,
    }),
  },
  CertificateDispatched: versionOne(
    z.strictObject({ attempt: field.ordinal.nullable(), dispatchedAt: field.instant }),
  ),
  /** The customer reported it. */
  CertificateArrived: versionOne(z.strictObject({})),
  OrderFulfilled: versionOne(z.strictObject({})),
  CancellationRequested: versionOne(cancellation),
  OrderCancelled: versionOne(cancellation),
  OrderFailed: versionOne(z.strictObject({ cause: word.failureCause, reason: word.failureReason })),
  RefundProposed: versionOne(z.strictObject({ ...proposed, ...refund, reason: word.refundReason })),
  /** Of a refund or a bank transfer. */
  RefundDeclined: versionOne(z.strictObject({ proposal: field.ordinal })),
  RefundRequested: {
    version: 2,
    /** Version 1 had no proposals. */
    upcasts: { 1: withoutProposal },
    data: z.strictObject({
      refundId: field.refundId,
      ...refund,
      reason: word.refundReason,
      /** The proposal that it carries out; null when no approval was needed. */
      proposal: field.ordinal.nullable(),
    }),
  },
  RefundIssued: { version: 2, upcasts: { 1: withProviderRefundId }, data: z.strictObject(reportedRefund) },
  RefundFailed: {
    version: 2,
    upcasts: { 1: withProviderRefundId },
    data: z.strictObject({ ...reportedRefund, code: word.refundFailureCode }),
  },
  /** Made by hand at the provider, of a payment for several orders, and it names none of them: staff say whose it is. */
  UnassignedRefundFound: versionOne(
    z.strictObject({
      providerRefundId: field.providerId,
      intentId: field.providerId,
      amountPence: field.pence,
    }),
  ),
  /** It is other orders' alone. An order that has a part in it records that it was issued. */
  RefundAssignedToOthers: versionOne(z.strictObject({ providerRefundId: field.providerId })),
  BankTransferProposed: versionOne(z.strictObject({ ...proposed, ...bankTransfer })),
  /** Staff gave money back by a bank transfer, because a refund did not reach the card. */
  BankTransferRecorded: versionOne(
    z.strictObject({
      ...bankTransfer,
      /** The proposal that it carries out; null when no approval was needed. */
      proposal: field.ordinal.nullable(),
    }),
  ),
  /** The bank sent the nth transfer back, so that money did not arrive. */
  BankTransferReturned: versionOne(z.strictObject({ transfer: field.ordinal })),
  /** A cardholder asked the bank for the money back. */
  DisputeOpened: versionOne(
    z.strictObject({
      disputeId: field.providerId,
      intentId: field.providerId,
      amountPence: field.pence,
      reason: word.disputeReason,
    }),
  ),
  DisputeOutcomeProposed: versionOne(z.strictObject({ ...proposed, ...disputeOutcome })),
  DisputeOutcomeDeclined: versionOne(z.strictObject({ proposal: field.ordinal })),
  DisputeClosed: {
    version: 2,
    /** Version 1 recorded only what the provider reported. */
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, toldBy: "provider", proposal: null }) },
    data: z.strictObject({
      ...disputeOutcome,
      toldBy: word.outcomeSource,
      /** The proposal that it carries out; null when the provider reported it, or no approval was needed. */
      proposal: field.ordinal.nullable(),
    }),
  },
  /** A dispute that staff had closed is still open at the provider, or was reopened there. */
  DisputeReopened: versionOne(z.strictObject({ disputeId: field.providerId })),
  NoteAdded: versionOne(z.strictObject({ noteRef: field.vaultReference })),
  /** A member of staff, named in the metadata, revealed personal data. */
  PersonalDataRevealed: versionOne(z.strictObject({ dataClass: word.revealable, reason: word.revealReason })),
  ErasureRequested: versionOne(z.strictObject({})),
  ContactDataPurgeStarted: versionOne(purgeStarted),
  ContactDataPurged: { version: 2, upcasts: unstarted, data: z.strictObject(receipt) },
  /** A replaced record was purged; the rest of its class was not. */
  ReplacedRecordPurged: versionOne(z.strictObject({ dataClass: word.dataClass, ...recordReceipt })),
};

export type OrderEventType = keyof typeof orderEventSchemas;

export type OrderEventData<Type extends OrderEventType> = z.infer<(typeof orderEventSchemas)[Type]["data"]>;

export type OrderEvent = {
  [Type in OrderEventType]: { readonly type: Type; readonly data: OrderEventData<Type> };
}[OrderEventType];

/** Parses an event of the log. Compiled, because every command and read model parses with it. */
export const orderEventSchema = z.compile(eventSchema<OrderEvent>(orderEventSchemas));

const orderStreamPrefix = "order-";

export const orderStream = (orderId: string): string => `${orderStreamPrefix}${orderId}`;

/** The id of the order whose stream this is, or undefined when it is another kind of stream. */
export function orderIdOf(stream: string): string | undefined {
  if (!stream.startsWith(orderStreamPrefix)) return undefined;
  const orderId = stream.slice(orderStreamPrefix.length);
  return field.id.safeParse(orderId).success ? orderId : undefined;
}
