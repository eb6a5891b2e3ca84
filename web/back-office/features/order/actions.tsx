import type { ComponentType } from "react";
import { now } from "../../../clock.ts";
import { DespatchField } from "../../ui/despatch-field.tsx";
import { despatchMoment } from "../../ui/despatch-moment.ts";
import {
  contactBody,
  failBody,
  outcomeBody,
  proposalBody,
  refundBody,
  submissionBody,
} from "./action-bodies.ts";
import {
  ContactFields,
  FailFields,
  type FieldsProps,
  NoteFields,
  OutcomeFields,
  ProposalFields,
  RefundFields,
  SubmissionFields,
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
    action: "approveRefund",
    label: "Approve refund",
    title: "Approve a proposed refund",
    whatHappens: "The money goes back to the card, and the customer is told.",
    confirmLabel: "Approve refund",
    Fields: ProposalFields,
    bodyOf: proposalBody,
  },
  {
    action: "declineRefund",
    label: "Decline refund",
    title: "Decline a proposed refund",
    whatHappens: "No money goes back by this proposal. Another one can be made.",
    confirmLabel: "Decline refund",
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
