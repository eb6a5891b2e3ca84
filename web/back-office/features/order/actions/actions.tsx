import type { ComponentType } from "react";
import { now } from "../../../../ui/dates.ts";
import { DespatchField, despatchMoment } from "../../../ui/despatch-field.tsx";
import {
  bankTransferBody,
  contactBody,
  disputeOutcomeBody,
  failBody,
  outcomeBody,
  proposalBody,
  refundBody,
  submissionBody,
  transferReturnBody,
} from "./action-bodies.ts";
import {
  BankTransferFields,
  ContactFields,
  DisputeOutcomeFields,
  FailFields,
  type FieldsProps,
  NoteFields,
  OutcomeFields,
  ProposalFields,
  RefundFields,
  SubmissionFields,
  TransferReturnFields,
} from "./action-fields.tsx";

/** An action as its button, its dialog and its request have it. */
export interface ActionLook {
  readonly action: string;
  readonly label: string;
  readonly title: string;
  /** What will happen, before it does. */
  readonly whatHappens: string;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  readonly Fields?: ComponentType<FieldsProps>;
  readonly bodyOf?: (fields: FormData, known: FieldsProps) => object;
}

/** In the order of an order's life. Revealing and amending have places of their own on the page. */
export const actionLooks: readonly ActionLook[] = [
  {
    action: "startSubmission",
    label: "Begin by hand",
    title: "Begin a submission by hand",
    whatHappens: "An attempt by hand begins. Nothing else is sent until you record what became of it.",
    confirmLabel: "Begin by hand",
  },
  {
    action: "recordSubmission",
    label: "Record submission",
    title: "Record a submission by hand",
    whatHappens:
      "The order counts as submitted, and the customer is told. The application is destroyed seconds later: print the form first if you still need it.",
    confirmLabel: "The GRO has it",
    Fields: SubmissionFields,
    bodyOf: submissionBody,
  },
  {
    action: "recordSubmissionFailure",
    label: "GRO does not have it",
    title: "Record that the GRO does not have it",
    whatHappens:
      "The open attempt ends as failed, and the application can be sent again. Confirm only if the GRO said so: otherwise it may get it twice.",
    confirmLabel: "It does not have it",
    danger: true,
  },
  {
    action: "recordOutcome",
    label: "Record GRO’s answer",
    title: "Record what the GRO says",
    whatHappens:
      "A question: the customer is asked to enter the application again. Not found: the order fails, and what the GRO gives back is refunded.",
    confirmLabel: "Record answer",
    Fields: OutcomeFields,
    bodyOf: outcomeBody,
  },
  {
    action: "recordDispatch",
    label: "Mark despatched",
    title: "Mark the certificate despatched",
    whatHappens: "The customer is told that the certificate is on its way, and the order is fulfilled.",
    confirmLabel: "Mark despatched",
    Fields: DespatchField,
    bodyOf: (fields) => ({ dispatchedAt: despatchMoment(fields, now()) }),
  },
  {
    action: "correctContact",
    label: "Correct contact",
    title: "Correct the contact details",
    whatHappens:
      "The old details are destroyed. Until the certificate is on its way, the confirmation is sent again to the new address.",
    confirmLabel: "Correct contact",
    Fields: ContactFields,
    bodyOf: (fields, { contact }) => contactBody(fields, contact),
  },
  {
    action: "refund",
    label: "Refund…",
    title: "Refund",
    whatHappens:
      "The money goes back to the card, and the customer is told. Above the limit in the settings it becomes a proposal that a second person approves.",
    confirmLabel: "Refund",
    Fields: RefundFields,
    bodyOf: (fields, { order }) => refundBody(fields, order),
  },
  {
    action: "recordBankTransfer",
    label: "Refund by bank transfer…",
    title: "Refund by bank transfer",
    whatHappens:
      "For a refund that the card does not accept. Record it first, then make the transfer: if a colleague was quicker, yours is refused before any money moves. The customer is told at once. Above the limit in the settings a second person has to approve it: make the transfer after that.",
    confirmLabel: "Record transfer",
    Fields: BankTransferFields,
    bodyOf: (fields, { order }) => bankTransferBody(fields, order),
  },
  {
    action: "recordBankTransferReturn",
    label: "Transfer came back",
    title: "Record that a bank transfer came back",
    whatHappens:
      "The money counts as not refunded, and waits for you to refund it again. Confirm only once it is back in our account. The customer’s tracking page says so; no mail is sent.",
    confirmLabel: "Transfer came back",
    danger: true,
    Fields: TransferReturnFields,
    bodyOf: transferReturnBody,
  },
  {
    action: "recordDisputeOutcome",
    label: "Close dispute",
    title: "Record the outcome of a dispute",
    whatHappens:
      "For a dispute that the payment provider leaves open. The provider is asked first, and its answer counts. If it reports the dispute open again later, it is open again here. Once it is closed, refunds go on; after a lost one, that money counts as refunded. Above the limit in the settings a second person approves it.",
    confirmLabel: "Close dispute",
    Fields: DisputeOutcomeFields,
    bodyOf: disputeOutcomeBody,
  },
  {
    action: "approveProposal",
    label: "Approve proposal",
    title: "Approve a colleague’s proposal",
    whatHappens:
      "A refund goes back to the card. A bank transfer counts as made: tell the colleague who proposed it to make it now. The customer is told of both. The outcome of a dispute closes it.",
    confirmLabel: "Approve proposal",
    Fields: ProposalFields,
    bodyOf: proposalBody,
  },
  {
    action: "declineProposal",
    label: "Decline proposal",
    title: "Decline a proposal",
    whatHappens: "The proposal is closed, and nothing else happens. A new one can be made.",
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
      "The note is sealed with the contact data and destroyed with it. Colleagues read it when they reveal the contact data; it is part of what the customer may ask to see.",
    confirmLabel: "Add note",
    Fields: NoteFields,
  },
  {
    action: "requestErasure",
    label: "Erasure asked for",
    title: "Record that the customer asks for erasure",
    whatHappens:
      "The contact data is destroyed as soon as nothing lawful needs it any more: after the order has ended and its refunds are made.",
    confirmLabel: "Record request",
  },
  {
    action: "cancel",
    label: "Cancel order",
    title: "Cancel the order",
    whatHappens:
      "The order ends, what was paid goes back in full, and the application is destroyed at once. While an attempt to submit is open, all this waits for its outcome. This cannot be undone.",
    confirmLabel: "Cancel order",
    danger: true,
  },
  {
    action: "fail",
    label: "Fail order",
    title: "Fail the order",
    whatHappens:
      "The order ends, and the customer is told. By our cause it is refunded in full; otherwise you decide about a refund. The application is destroyed. This cannot be undone.",
    confirmLabel: "Fail order",
    danger: true,
    Fields: FailFields,
    bodyOf: failBody,
  },
];
