import { z } from "zod";
import * as field from "../fields.ts";
import { mailBounce, sentMail } from "../mailbox.ts";
import { purgeOutcome } from "../open-work.ts";
import { priceLists } from "../pricing/price-list-fields.ts";
import { mostLinkedDrafts } from "../saved-draft/vocabulary.ts";
import * as word from "./vocabulary.ts";

/** Every command of an order. Text typed by a person is sealed first: commands carry its vault reference. */

/** Recorded before any key is erased; refused when the rule does not hold, or no longer does. */
const purgeStart = z.strictObject({ rule: word.purgeRule });

/**
 * `refundId` is null for a refund made by hand at the provider, `providerRefundId` for one that the provider refused to
 * make.
 */
const reportedRefund = {
  refundId: field.refundId.nullable(),
  providerRefundId: field.providerId.nullable(),
  intentId: field.providerId,
  amountPence: field.pence,
};

const unassignedRefund = {
  providerRefundId: field.providerId,
  intentId: field.providerId,
  amountPence: field.pence,
};

const changedApplication = {
  applicationRef: field.vaultReference,
  /** Whether the application has the GRO's index reference: without one, the GRO charges a search fee. */
  groReferenceKnown: z.boolean(),
};

const nothing = z.strictObject({});

/** The schema of each command's data. */
export const orderCommandSchemas = {
  CreateOrder: z.strictObject({
    orderId: field.id,
    orderNumber: field.orderNumber,
    reference: field.reference,
    /** Must be a sum that the list in force can produce. */
    quotedTotalPence: field.pence,
    priceLists,
    termsVersion: field.ordinal.nullable(),
    consentVersion: field.ordinal.nullable(),
    contactRef: field.vaultReference,
    signatureRef: field.vaultReference.nullable(),
    savedDraftIds: z.array(field.id).max(mostLinkedDrafts),
    certificateId: field.id.nullable(),
  }),
  /** Their ids, from an order with the same application. */
  RecordSameCertificate: z.strictObject({
    certificateIds: z.array(field.id).min(1).max(word.mostCertificateIds),
  }),
  /** Sent once the saved drafts that the order completes have ended. */
  RecordSavedDraftsEnded: nothing,
  AddVariant: z.strictObject({
    certificateType: word.certificateType,
    copies: field.copies,
    shortCopies: field.count,
    serviceLevel: word.serviceLevel,
    deliveryMethod: word.deliveryMethod,
    // Not sold until it has a price. Events may still record one.
    apostille: z.literal(false),
    groReferenceKnown: z.boolean(),
    /** What the browser believes the total to be. */
    amountPence: field.pence,
    /** All of them, because a priced order keeps the price of its day. */
    priceLists,
    applicationRef: field.vaultReference,
  }),
  RequestPayment: z.strictObject({
    intentId: field.providerId,
    amountPence: field.pence,
    attempt: field.ordinal,
    /** The intent that was open before and is cancelled at the provider now; null for the first. */
    closedIntentId: field.providerId.nullable(),
    /** Null where the intent pays for this order alone. */
    checkoutId: field.id.nullable(),
  }),
  ConfirmPayment: z.strictObject({ intentId: field.providerId, amountPence: field.pence.min(1) }),
  RecordPaymentFailure: z.strictObject({ intentId: field.providerId, code: word.paymentFailureCode }),
  RequestSubmission: nothing,
  RecordMail: sentMail(word.mailTemplate),
  RecordBounce: mailBounce(word.mailTemplate),
  /** Recorded on one order of an email address, for all of them. */
  RequestOrderLinks: nothing,
  /** `postal`: the name or the postal address changes, which matters to the GRO. */
  CorrectContact: z.strictObject({
    contactRef: field.vaultReference,
    postal: z.boolean(),
    emailChanged: z.boolean(),
  }),
  StartSubmission: z.strictObject({ attempt: field.ordinal, channel: word.submissionChannel }),
  RecordSubmission: z.strictObject({
    attempt: field.ordinal.nullable(),
    groReferenceRef: field.vaultReference.nullable(),
    submittedAt: field.instant,
  }),
  RecordSubmissionFailure: z.strictObject({
    attempt: field.ordinal,
    code: word.submissionFailureCode,
    certain: z.boolean(),
  }),
  StartSensitiveDataPurge: purgeStart,
  PurgeSensitiveData: purgeOutcome(word.purgedKind),
  /** `attempt` is the one the answer is about, where the reporter knows it. */
  RecordGROOutcome: z.strictObject({
    attempt: field.ordinal.nullable(),
    outcome: word.groOutcome,
    /** The sealed text of a question; null without one. Dropped where `keepsQuestion` says so. */
    questionRef: field.vaultReference.nullable(),
  }),
  AmendApplication: z.strictObject(changedApplication),
  ReplaceApplication: z.strictObject(changedApplication),
  RecordDispatch: z.strictObject({ attempt: field.ordinal.nullable(), dispatchedAt: field.instant }),
  FulfilOrder: nothing,
  ReportArrival: nothing,
  CancelOrder: z.strictObject({
    reason: word.cancellationReason,
    /** The payment intent that was cancelled at the provider first; null when none was open. */
    closedIntentId: field.providerId.nullable(),
  }),
  FailOrder: z.strictObject({ cause: word.failureCause, reason: word.failureReason }),
  RequestRefund: z.strictObject({
    intentId: field.providerId,
    amountPence: field.pence.min(1),
    reason: word.refundReason,
    /** Refunds by staff above this total need a second person; null for no limit. */
    approvalAbovePence: field.pence.nullable(),
  }),
  /** Money that staff gave back by bank transfer, because a refund did not reach the card. */
  RecordBankTransfer: z.strictObject({
    intentId: field.providerId,
    amountPence: field.pence.min(1),
    /** The sealed reference of the transfer; null once the contact data is purged. */
    referenceRef: field.vaultReference.nullable(),
    approvalAbovePence: field.pence.nullable(),
  }),
  /** The bank sent the nth transfer back: the account was wrong, or closed. */
  RecordBankTransferReturn: z.strictObject({ transfer: field.ordinal }),
  ApproveProposal: z.strictObject({ proposal: field.ordinal }),
  DeclineProposal: z.strictObject({ proposal: field.ordinal }),
  RecordRefund: z.strictObject(reportedRefund),
  RecordRefundFailure: z.strictObject({ ...reportedRefund, code: word.refundFailureCode }),
  /** Made by hand at the provider, of a payment for several orders, and it names none of them: staff say whose it is. */
  RecordUnassignedRefund: z.strictObject(unassignedRefund),
  /** An unassigned refund turned out to be other orders' alone. */
  RecordRefundOfOthers: z.strictObject({ providerRefundId: field.providerId }),
  /**
   * A dispute as the provider reports it: opened while `outcome` is null, closed otherwise. Reports may come late and
   * in any order.
   */
  RecordDispute: z.strictObject({
    disputeId: field.providerId,
    intentId: field.providerId,
    amountPence: field.pence,
    reason: word.disputeReason,
    outcome: word.disputeOutcome.nullable(),
  }),
  /** What staff know of a dispute that the provider never closes. */
  RecordDisputeOutcome: z.strictObject({
    disputeId: field.providerId,
    outcome: word.disputeOutcome,
    approvalAbovePence: field.pence.nullable(),
  }),
  AddNote: z.strictObject({ noteRef: field.vaultReference }),
  /** Recorded before anything is opened: a reveal is itself an event. */
  RevealPersonalData: z.strictObject({ dataClass: word.revealable, reason: word.revealReason }),
  RequestErasure: nothing,
  StartContactDataPurge: purgeStart,
  PurgeContactData: purgeOutcome(word.purgedKind),
  /**
   * A replaced record, or the text of a closed question, was purged. Until then nothing is recorded, and the purge is
   * retried.
   */
  PurgeReplacedRecord: z.strictObject({
    recordRef: field.vaultReference,
    keyFingerprint: field.keyFingerprint,
    probe: word.probeResult,
  }),
};

export type OrderCommandType = keyof typeof orderCommandSchemas;

export type OrderCommandData<Type extends OrderCommandType> = z.infer<(typeof orderCommandSchemas)[Type]>;

export type OrderCommand = {
  [Type in OrderCommandType]: { readonly type: Type; readonly data: OrderCommandData<Type> };
}[OrderCommandType];
