import type { OrderCommand, OrderCommandType } from "../../domain/order/commands.ts";
import { firstPriceList } from "../../domain/pricing/price-list.ts";
import { orderId, start, uuid } from "./order-fixture.ts";

/** A valid command of each type, for the orders of order-fixture.ts. */
export const sample: { readonly [Type in OrderCommandType]: Extract<OrderCommand, { type: Type }> } = {
  CreateOrder: {
    type: "CreateOrder",
    data: {
      orderId,
      orderNumber: "0000-0000-00000",
      reference: "REF-2026-7",
      quotedTotalPence: 9000,
      priceLists: [firstPriceList],
      termsVersion: 1,
      consentVersion: 1,
      contactRef: uuid(101),
      signatureRef: uuid(102),
      savedDraftIds: [],
      certificateId: uuid(301),
    },
  },
  RecordSameCertificate: { type: "RecordSameCertificate", data: { certificateIds: [uuid(302)] } },
  RecordSavedDraftsEnded: { type: "RecordSavedDraftsEnded", data: {} },
  AddVariant: {
    type: "AddVariant",
    data: {
      certificateType: "Birth",
      copies: 2,
      shortCopies: 0,
      serviceLevel: "standard",
      deliveryMethod: "Post",
      apostille: false,
      groReferenceKnown: false,
      amountPence: 9000,
      priceLists: [firstPriceList],
      applicationRef: uuid(201),
    },
  },
  RequestPayment: {
    type: "RequestPayment",
    data: { intentId: "pi_1", amountPence: 9000, attempt: 1, closedIntentId: null, checkoutId: null },
  },
  ConfirmPayment: { type: "ConfirmPayment", data: { intentId: "pi_9", amountPence: 9000 } },
  RecordPaymentFailure: { type: "RecordPaymentFailure", data: { intentId: "pi_1", code: "cardDeclined" } },
  RequestSubmission: { type: "RequestSubmission", data: {} },
  RecordMail: {
    type: "RecordMail",
    data: { template: "submitted", templateVersion: 1, about: uuid(50), result: "sent" },
  },
  RecordBounce: {
    type: "RecordBounce",
    data: { template: "submitted", about: uuid(50), kind: "complaint", code: "" },
  },
  RequestOrderLinks: { type: "RequestOrderLinks", data: {} },
  CorrectContact: {
    type: "CorrectContact",
    data: { contactRef: uuid(202), postal: false, emailChanged: true },
  },
  StartSubmission: { type: "StartSubmission", data: { attempt: 1, channel: "automation" } },
  RecordSubmission: {
    type: "RecordSubmission",
    data: { attempt: 1, groReferenceRef: uuid(203), submittedAt: start },
  },
  RecordSubmissionFailure: {
    type: "RecordSubmissionFailure",
    data: { attempt: 1, code: "rejected", certain: true },
  },
  StartSensitiveDataPurge: { type: "StartSensitiveDataPurge", data: { rule: "submitted" } },
  PurgeSensitiveData: {
    type: "PurgeSensitiveData",
    data: {
      outcome: "purged",
      startedBy: uuid(207),
      destroyed: ["application", "signature"],
      keyFingerprint: "cd".repeat(32),
      probe: "unreadable",
      records: 2,
    },
  },
  RecordGROOutcome: { type: "RecordGROOutcome", data: { attempt: 1, outcome: "queried", questionRef: null } },
  AmendApplication: {
    type: "AmendApplication",
    data: { applicationRef: uuid(204), groReferenceKnown: false },
  },
  ReplaceApplication: {
    type: "ReplaceApplication",
    data: { applicationRef: uuid(205), groReferenceKnown: false },
  },
  RecordDispatch: { type: "RecordDispatch", data: { attempt: 1, dispatchedAt: start } },
  FulfilOrder: { type: "FulfilOrder", data: {} },
  ReportArrival: { type: "ReportArrival", data: {} },
  CancelOrder: { type: "CancelOrder", data: { reason: "customerRequest", closedIntentId: "pi_1" } },
  FailOrder: { type: "FailOrder", data: { cause: "ours", reason: "serviceError" } },
  RequestRefund: {
    type: "RequestRefund",
    data: { intentId: "pi_1", amountPence: 500, reason: "staffDecision", approvalAbovePence: null },
  },
  RecordBankTransfer: {
    type: "RecordBankTransfer",
    data: { intentId: "pi_1", amountPence: 500, referenceRef: uuid(207), approvalAbovePence: null },
  },
  RecordBankTransferReturn: { type: "RecordBankTransferReturn", data: { transfer: 1 } },
  ApproveProposal: { type: "ApproveProposal", data: { proposal: 1 } },
  DeclineProposal: { type: "DeclineProposal", data: { proposal: 1 } },
  RecordRefund: {
    type: "RecordRefund",
    data: { refundId: null, providerRefundId: "re_1", intentId: "pi_1", amountPence: 500 },
  },
  RecordRefundFailure: {
    type: "RecordRefundFailure",
    data: { refundId: null, providerRefundId: "re_1", intentId: "pi_1", amountPence: 500, code: "declined" },
  },
  RecordUnassignedRefund: {
    type: "RecordUnassignedRefund",
    data: { providerRefundId: "re_2", intentId: "pi_1", amountPence: 500 },
  },
  RecordRefundOfOthers: { type: "RecordRefundOfOthers", data: { providerRefundId: "re_2" } },
  RecordDispute: {
    type: "RecordDispute",
    data: { disputeId: "du_1", intentId: "pi_1", amountPence: 9000, reason: "general", outcome: null },
  },
  RecordDisputeOutcome: {
    type: "RecordDisputeOutcome",
    data: { disputeId: "du_1", outcome: "won", approvalAbovePence: null },
  },
  AddNote: { type: "AddNote", data: { noteRef: uuid(206) } },
  RevealPersonalData: { type: "RevealPersonalData", data: { dataClass: "contact", reason: "groQuery" } },
  RequestErasure: { type: "RequestErasure", data: {} },
  StartContactDataPurge: { type: "StartContactDataPurge", data: { rule: "retention" } },
  PurgeContactData: {
    type: "PurgeContactData",
    data: {
      outcome: "purged",
      startedBy: uuid(208),
      destroyed: ["contact", "groOrderReference"],
      keyFingerprint: "ef".repeat(32),
      probe: "unreadable",
      records: 2,
    },
  },
  PurgeReplacedRecord: {
    type: "PurgeReplacedRecord",
    data: { recordRef: uuid(207), keyFingerprint: "ab".repeat(32), probe: "unreadable" },
  },
};
