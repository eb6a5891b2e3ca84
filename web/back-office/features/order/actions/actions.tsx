import type { ComponentType } from "react";
import { now } from "../../../../ui/dates.ts";
import { DespatchField, despatchMoment } from "../../../ui/dense-field.tsx";
import {
  AssignFields,
  assignBody,
  BankTransferFields,
  bankTransferBody,
  DisputeOutcomeFields,
  disputeOutcomeBody,
  FailFields,
  type FieldsProps,
  failBody,
  NoteFields,
  OutcomeFields,
  outcomeBody,
  ProposalFields,
  proposalBody,
  RefundFields,
  refundBody,
  SubmissionFields,
  submissionBody,
  TransferReturnFields,
  transferReturnBody,
} from "./action-fields.tsx";
import { ContactFields, contactBody } from "./contact-fields.tsx";

/** Button, dialog and request body of an action. */
export interface ActionForm {
  readonly action: string;
  readonly label: string;
  readonly title: string;
  readonly whatHappens: string;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  readonly Fields?: ComponentType<FieldsProps>;
  readonly bodyOf?: (fields: FormData, known: FieldsProps) => object;
}

/** Sorted by the life of an order. Revealing and amending have their own controls. */
export const actionForms: readonly ActionForm[] = [
  {
    action: "startSubmission",
    label: "Start manually",
    title: "Start a manual submission",
    whatHappens: "This starts a manual attempt. Nothing is sent automatically until you record its outcome.",
    confirmLabel: "Start manually",
  },
  {
    action: "recordSubmission",
    label: "Record submission",
    title: "Record a manual submission",
    whatHappens:
      "This marks the order as submitted, and we email the customer. The application is destroyed seconds later: print the form first if you still need it.",
    confirmLabel: "Record submission",
    Fields: SubmissionFields,
    bodyOf: submissionBody,
  },
  {
    action: "recordSubmissionFailure",
    label: "GRO does not have it",
    title: "Record that the GRO does not have the application",
    whatHappens:
      "The open attempt ends as failed and the application can be sent again. Confirm only if the GRO has told you that it does not have the application: otherwise it may receive it twice.",
    confirmLabel: "GRO does not have it",
    danger: true,
  },
  {
    action: "recordOutcome",
    label: "Record GRO’s answer",
    title: "Record the GRO’s answer",
    whatHappens:
      "If the GRO has a question, we ask the customer to enter the application again. If the record was not found, the order fails and we refund what the GRO returns.",
    confirmLabel: "Record answer",
    Fields: OutcomeFields,
    bodyOf: outcomeBody,
  },
  {
    action: "recordDispatch",
    label: "Mark despatched",
    title: "Mark the certificate despatched",
    whatHappens: "We email the customer that the certificate is on its way, and the order is fulfilled.",
    confirmLabel: "Mark despatched",
    Fields: DespatchField,
    bodyOf: (fields) => ({ dispatchedAt: despatchMoment(fields, now()) }),
  },
  {
    action: "correctContact",
    label: "Correct contact",
    title: "Correct the contact details",
    whatHappens:
      "The old details are destroyed. If the email address of a paid order changes, we first tell the previous one. Unless the certificate is already on its way, the confirmation is sent again to the new address, and so is any other email that did not arrive.",
    confirmLabel: "Correct contact",
    Fields: ContactFields,
    bodyOf: (fields, { contact }) => contactBody(fields, contact),
  },
  {
    action: "sendAgain",
    label: "Send again",
    title: "Send undelivered emails again",
    whatHappens:
      "Use this when the email address is right. The emails that did not arrive are sent again to the same address, with the confirmation unless the certificate is already on its way.",
    confirmLabel: "Send again",
  },
  {
    action: "refund",
    label: "Refund…",
    title: "Refund",
    whatHappens:
      "The money goes back to the card, and we email the customer. Above the refund limit, this becomes a proposal that a second person must approve.",
    confirmLabel: "Refund",
    Fields: RefundFields,
    bodyOf: (fields, { order }) => refundBody(fields, order),
  },
  {
    action: "assignRefund",
    label: "Assign refund…",
    title: "Assign a refund made at the provider",
    whatHappens:
      "The refund left our account, but it does not say which of the orders paid for together it is for. Enter how much of it belongs to each. We email the customer about each of these orders. This cannot be undone.",
    confirmLabel: "Assign refund",
    Fields: AssignFields,
    bodyOf: assignBody,
  },
  {
    action: "recordBankTransfer",
    label: "Refund by bank transfer…",
    title: "Refund by bank transfer",
    whatHappens:
      "Use this when the card does not accept a refund. Record the transfer before you make it: if a colleague has already recorded one, yours is rejected before any money moves. We email the customer at once. Above the refund limit, a second person must approve it before you make the transfer.",
    confirmLabel: "Record transfer",
    Fields: BankTransferFields,
    bodyOf: (fields, { order }) => bankTransferBody(fields, order),
  },
  {
    action: "recordBankTransferReturn",
    label: "Transfer returned",
    title: "Record a returned bank transfer",
    whatHappens:
      "The money counts as not refunded until you refund it again. Confirm only once it is back in our account. The customer’s tracking page shows this; no email is sent.",
    confirmLabel: "Transfer returned",
    danger: true,
    Fields: TransferReturnFields,
    bodyOf: transferReturnBody,
  },
  {
    action: "recordDisputeOutcome",
    label: "Close dispute",
    title: "Record the outcome of a dispute",
    whatHappens:
      "Use this for a dispute that the payment provider leaves open. We check with the provider first, and its answer takes precedence. If it later reports the dispute as open again, we reopen it here. Once it is closed, refunds continue; if it is lost, that money counts as refunded. Above the refund limit, a second person must approve this.",
    confirmLabel: "Close dispute",
    Fields: DisputeOutcomeFields,
    bodyOf: disputeOutcomeBody,
  },
  {
    action: "approveProposal",
    label: "Approve proposal",
    title: "Approve a colleague’s proposal",
    whatHappens:
      "A refund goes back to the card. A bank transfer is recorded as made: ask the colleague who proposed it to make it now. In both cases we email the customer. A dispute outcome closes the dispute.",
    confirmLabel: "Approve proposal",
    Fields: ProposalFields,
    bodyOf: proposalBody,
  },
  {
    action: "declineProposal",
    label: "Decline proposal",
    title: "Decline a proposal",
    whatHappens: "The proposal is closed and nothing else happens. You can make a new one.",
    confirmLabel: "Decline proposal",
    danger: true,
    Fields: ProposalFields,
    bodyOf: proposalBody,
  },
  {
    action: "addNote",
    label: "Add note",
    title: "Add a note",
    whatHappens:
      "The note is sealed with the contact data and destroyed with it. Colleagues can read it when they reveal the contact data, and the customer can ask to see it.",
    confirmLabel: "Add note",
    Fields: NoteFields,
  },
  {
    action: "requestErasure",
    label: "Erasure request",
    title: "Record an erasure request",
    whatHappens:
      "The contact data is destroyed as soon as there is no lawful reason to keep it: once the order has ended and its refunds are made.",
    confirmLabel: "Record request",
  },
  {
    action: "cancel",
    label: "Cancel order",
    title: "Cancel the order",
    whatHappens:
      "The order ends, everything paid for it is refunded and the application is destroyed at once. If a submission attempt is open, this waits for its outcome. This cannot be undone.",
    confirmLabel: "Cancel order",
    danger: true,
  },
  {
    action: "fail",
    label: "Fail order",
    title: "Fail the order",
    whatHappens:
      "The order ends and we email the customer. It is refunded in full if nothing was submitted or we caused the failure; if the GRO did not find the record, what the GRO returns is refunded. Otherwise you decide about a refund. The application is destroyed. This cannot be undone.",
    confirmLabel: "Fail order",
    danger: true,
    Fields: FailFields,
    bodyOf: failBody,
  },
];
