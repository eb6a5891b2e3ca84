import { addSeconds, before } from "../../instant.ts";
import { promiseOf } from "../../promise/promise.ts";
import type { OrderCommandData } from "../commands.ts";
import { isUnpaid } from "../phases.ts";
import { assertFresh, type Decisions, forbidden } from "../rules.ts";
import type { Order } from "../state.ts";
import { assertTakesApplication } from "./decide-submission.ts";

/** An address gets at most one mail with links in this time. Asking again sooner changes nothing. */
const secondsBetweenLinkMails = 600;

/** True for the confirmation that the submission waits for; one to an address corrected since is another. */
const isAwaitedConfirmation = ({ confirmation }: Order, mail: OrderCommandData<"RecordMail">): boolean =>
  mail.template === "confirmation" && confirmation.state !== "sent" && confirmation.about === mail.about;

/** Asking for the submission, and telling the customer. */
export const confirmationDecisions: Decisions<
  "RequestSubmission" | "RecordMail" | "RequestOrderLinks" | "CorrectContact"
> = {
  RequestSubmission(order, _, { at }) {
    if (order.promise !== null || order.phase !== "Paid" || order.variant === null) return [];
    return [{ type: "SubmissionRequested", data: { promise: promiseOf(order.variant.serviceLevel, at) } }];
  },

  RecordMail(order, { result, ...mail }) {
    const { template, about } = mail;
    if (order.mails.sent.some((sent) => sent.template === template && sent.about === about)) return [];
    if (isAwaitedConfirmation(order, { result, ...mail })) {
      return [{ type: result === "sent" ? "ConfirmationSent" : "ConfirmationUndeliverable", data: mail }];
    }
    return [{ type: result === "sent" ? "MailSent" : "MailUndeliverable", data: mail }];
  },

  RequestOrderLinks(order, _, { at }) {
    if (order.vault.contact === null) throw forbidden(order, "contact-purged");
    const { linksRequestedAt } = order;
    const isTooSoon =
      linksRequestedAt !== undefined && before(at, addSeconds(linksRequestedAt, secondsBetweenLinkMails));
    return isTooSoon ? [] : [{ type: "OrderLinksRequested", data: {} }];
  },

  CorrectContact(order, { contactRef, postal }) {
    const previousContactRef = order.vault.contact;
    if (previousContactRef === null) throw forbidden(order, "contact-purged");
    if (previousContactRef === contactRef) return [];
    // The GRO posts the certificate to what it was sent: a later change would be believed and not be followed.
    if (postal && !isUnpaid(order.phase)) assertTakesApplication(order);
    assertFresh(order, contactRef);
    return [{ type: "ContactCorrected", data: { contactRef, previousContactRef } }];
  },
};
