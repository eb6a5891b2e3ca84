import type { EventKind } from "../../../../contract/staff-orders/order-page.ts";
import type { ActorKind } from "../../../../domain/decider.ts";
import type { OrderEvent, OrderEventData } from "../../../../domain/order/events.ts";
import { refundNumber } from "../../../../domain/order/payment/provider-keys.ts";
import { destroyedWords, ruleWords } from "../../../../domain/order/personal-data/deletion-words.ts";
import type { PurgeRule } from "../../../../domain/order/vocabulary.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { shortDay, shortMoment } from "../../../documents/dates.ts";
import { bounceWords, undeliverableWords } from "../../../documents/mail-words.ts";
import { words } from "./code-words.ts";

/** An event on the staff timeline. */
type EventWords = { readonly kind: EventKind; readonly title: string; readonly detail: string | null };

const say = (kind: EventKind, title: string, detail: string | null = null): EventWords => ({
  kind,
  title,
  detail,
});

/** Steps open to customers count as the customer's unless staff took them. */
const byWhom = (actor: ActorKind): EventKind => (actor === "staff" ? "staff" : "customer");

const choice = ({ certificateType, copies, serviceLevel, totalPence }: OrderEventData<"VariantAdded">) => ({
  item: `${certificateType} certificate × ${copies}`,
  rest: `${words.serviceLevel[serviceLevel]}, ${formatPounds(totalPence)}`,
});

const receipt = ({ destroyed, rule }: Pick<OrderEventData<"ContactDataPurged">, "destroyed" | "rule">) =>
  `${destroyedWords(destroyed)}; because ${because(rule)}; checked: nothing could be read`;

const started = ({ records, rule }: OrderEventData<"ContactDataPurgeStarted">) =>
  `${records.length} ${records.length === 1 ? "record" : "records"}; because ${because(rule)}`;

/** The receipt's words address the customer. */
const because = (rule: PurgeRule): string => (rule === "erasure" ? "erasure was requested" : ruleWords(rule));

const mail = ({ template, templateVersion }: OrderEventData<"MailSent">) =>
  `${words.mail[template]}, template ${templateVersion}`;

const refund = ({
  refundId,
  amountPence,
}: Pick<OrderEventData<"RefundIssued">, "refundId" | "amountPence">) =>
  refundId === null
    ? `${formatPounds(amountPence)}, made manually at the provider`
    : `${formatPounds(amountPence)}, refund ${refundNumber(refundId)}`;

const proposal = ({ proposal, reason }: OrderEventData<"RefundProposed">) =>
  `proposal ${proposal}, ${words.refund[reason]}; a second person must approve it`;

const promised = ({ despatchBy }: OrderEventData<"SubmissionRequested">["promise"]) =>
  `despatch promised by ${shortDay(despatchBy)}`;

const agreed = ({ terms, consent }: OrderEventData<"OrderCreated">): string =>
  [
    terms ? `terms ${terms.version}` : "terms not accepted",
    consent ? `consent ${consent.version} to start given` : "no consent to start",
  ].join(", ");

const ofAttempt = (attempt: number | null): string | null =>
  attempt === null ? "not one of our attempts" : `attempt ${attempt}`;

/** An event in words for staff. An event type without words does not compile. */
export function wordsOf(event: OrderEvent, actor: ActorKind): EventWords {
  switch (event.type) {
    case "OrderCreated":
      return say("customer", "Order placed", agreed(event.data));
    case "SameCertificateFound":
      return say(
        "customer",
        "Possible duplicate",
        "the application is the same as in another order of this customer",
      );
    case "SavedDraftsLinked":
      return say("customer", "Continued from a saved order", "the saved copy is deleted once this is paid");
    case "SavedDraftsEnded":
      return say("privacy", "Saved copy deleted", "the order was placed");
    case "VariantAdded":
      return say("customer", `${choice(event.data).item} added`, choice(event.data).rest);
    case "VariantReplaced":
      return say("customer", `Changed to ${choice(event.data).item}`, choice(event.data).rest);
    case "PaymentRequested":
      return say(
        "money",
        `Payment of ${formatPounds(event.data.amountPence)} requested`,
        ofAttempt(event.data.attempt),
      );
    case "PaymentFailed":
      return say("money", "Payment failed", words.paymentFailure[event.data.code]);
    case "PaymentConfirmed":
      return say("money", `Paid ${formatPounds(event.data.amountPence)}`, event.data.intentId);
    case "PaymentReceivedUnexpectedly":
      return say(
        "money",
        `${formatPounds(event.data.amountPence)} received when nothing was due`,
        "to be refunded in full",
      );
    case "SubmissionRequested":
      return say("customer", "Submission requested", promised(event.data.promise));
    case "ConfirmationSent":
      return say("customer", "Confirmation sent", `template ${event.data.templateVersion}`);
    case "ConfirmationUndeliverable":
      return say(
        "customer",
        "Confirmation could not be delivered",
        `${undeliverableWords[event.data.because]}; nothing goes to the GRO until one is delivered`,
      );
    case "MailSent":
      return say("customer", "Email sent", mail(event.data));
    case "MailUndeliverable":
      return say(
        "customer",
        "Email could not be delivered",
        `${mail(event.data)}; ${undeliverableWords[event.data.because]}`,
      );
    case "MailBounced":
      return say(
        "customer",
        event.data.kind === "complaint" ? "Email reported as spam" : "Email came back",
        `${words.mail[event.data.template]}, ${bounceWords(event.data)}`,
      );
    case "OrderLinksRequested":
      return say("customer", "Links to orders requested", "by email address, on the tracking page");
    case "ContactCorrected":
      return say(
        byWhom(actor),
        // Sending undelivered mail again records the same details anew.
        `Contact details corrected${event.data.emailChanged ? "" : " or confirmed"}`,
        `${event.data.emailChanged ? "another email address; " : ""}the old details are destroyed`,
      );
    case "ApplicationAmended":
      return say(byWhom(actor), "Application changed before submission", "the old application is destroyed");
    case "SubmissionStarted":
      return say(
        "gro",
        "Submission started",
        `attempt ${event.data.attempt}, ${words.channel[event.data.channel]}`,
      );
    case "SubmissionFailed":
      return failedAttempt(event.data);
    case "SubmittedToGRO":
      return say("gro", "Accepted by the GRO", ofAttempt(event.data.attempt));
    case "SensitiveDataPurgeStarted":
      return say("privacy", "Destruction of application data started", started(event.data));
    case "SensitiveDataPurged":
      return say(
        "privacy",
        `Application data destroyed${after(event.data.secondsSinceSubmission)}`,
        receipt(event.data),
      );
    case "PurgeFailed":
      return say(
        "privacy",
        `Destruction of ${words.dataClass[event.data.dataClass]} failed`,
        `${words.purgeFailure[event.data.code]}, attempt ${event.data.attempt}`,
      );
    case "GROOutcomeRecorded":
      return say(
        "gro",
        words.outcome[event.data.outcome],
        [ofAttempt(event.data.attempt), event.data.questionRef && "its text is sealed"]
          .filter(Boolean)
          .join("; ") || null,
      );
    case "GROQuestionPurged":
      return say("privacy", "Text of the GRO’s question destroyed", "it can no longer be read");
    case "ApplicationReplaced":
      return say(
        byWhom(actor),
        "Application entered again",
        ["it goes to the GRO again", ...(event.data.promise ? [promised(event.data.promise)] : [])].join(
          "; ",
        ),
      );
    case "CertificateDispatched":
      return say("gro", "Certificate despatched", `on ${shortMoment(event.data.dispatchedAt)}`);
    case "CertificateArrived":
      return say(byWhom(actor), "Certificate arrived", "as the customer reported");
    case "OrderFulfilled":
      return say("customer", "Order fulfilled");
    case "CancellationRequested":
      return say(byWhom(actor), "Cancellation requested", "waiting for the open attempt");
    case "OrderCancelled":
      return say(byWhom(actor), "Order cancelled", words.cancellation[event.data.reason]);
    case "OrderFailed":
      return say(
        byWhom(actor),
        "Order failed",
        `${words.failureCause[event.data.cause]}: ${words.failure[event.data.reason]}`,
      );
    case "RefundProposed":
      return say("money", `Refund of ${formatPounds(event.data.amountPence)} proposed`, proposal(event.data));
    case "RefundDeclined":
      return say("money", "Proposed refund declined", `proposal ${event.data.proposal}`);
    case "RefundRequested":
      return say("money", "Refund requested", `${refund(event.data)}, ${words.refund[event.data.reason]}`);
    case "RefundIssued":
      return say("money", "Refund made", refund(event.data));
    case "RefundFailed":
      return say("money", "Refund failed", `${refund(event.data)}, ${words.refundFailure[event.data.code]}`);
    case "UnassignedRefundFound":
      return say(
        "money",
        `Refund of ${formatPounds(event.data.amountPence)} found at the provider`,
        "it names none of the orders paid for together; staff say whose it is",
      );
    case "RefundAssignedToOthers":
      return say("money", "Refund assigned to other orders", "this order has no part in it");
    case "BankTransferProposed":
      return say(
        "money",
        `Bank transfer of ${formatPounds(event.data.amountPence)} proposed`,
        `proposal ${event.data.proposal}; a second person must approve it`,
      );
    case "BankTransferRecorded":
      return say(
        "money",
        "Bank transfer recorded",
        `${formatPounds(event.data.amountPence)}${event.data.referenceRef === null ? "" : "; the reference is sealed with the contact data"}`,
      );
    case "BankTransferReturned":
      return say(
        "money",
        `Bank transfer ${event.data.transfer} returned`,
        "the money must be refunded another way",
      );
    case "DisputeOpened":
      return say(
        "money",
        `Dispute over ${formatPounds(event.data.amountPence)} opened`,
        `${words.dispute[event.data.reason]}; no refunds while it is open`,
      );
    case "DisputeOutcomeProposed":
      return say(
        "money",
        "Dispute outcome proposed",
        `proposal ${event.data.proposal}, ${words.disputeOutcome[event.data.outcome]}; a second person must approve it`,
      );
    case "DisputeOutcomeDeclined":
      return say("money", "Proposed dispute outcome declined", `proposal ${event.data.proposal}`);
    case "DisputeClosed":
      return say(
        "money",
        "Dispute closed",
        `${words.disputeOutcome[event.data.outcome]}, ${event.data.toldBy === "staff" ? "recorded by staff" : "reported by the provider"}`,
      );
    case "DisputeReopened":
      return say("money", "Dispute reopened", "still open at the provider; no refunds until it is closed");
    case "NoteAdded":
      return say("staff", "Note added", "sealed with the contact data");
    case "PersonalDataRevealed":
      return say(
        "privacy",
        `Revealed ${words.dataClass[event.data.dataClass]}`,
        words.reveal[event.data.reason],
      );
    case "ErasureRequested":
      return say(
        "privacy",
        "Erasure requested",
        "the data is erased once there is no lawful reason to keep it",
      );
    case "ContactDataPurgeStarted":
      return say("privacy", "Destruction of contact data started", started(event.data));
    case "ContactDataPurged":
      return say("privacy", "Contact data destroyed", receipt(event.data));
    case "ReplacedRecordPurged":
      return say(
        "privacy",
        `Replaced ${words.dataClass[event.data.dataClass]} destroyed`,
        "it can no longer be read",
      );
    default:
      return event satisfies never;
  }
}

const after = (seconds: number | null): string => (seconds === null ? "" : ` ${seconds} s after submission`);

function failedAttempt({ attempt, code, certain }: OrderEventData<"SubmissionFailed">): EventWords {
  const reason = words.submissionFailure[code];
  return certain
    ? say("gro", `Attempt ${attempt} failed`, `${reason}; the GRO does not have it`)
    : say("gro", `Attempt ${attempt}: outcome unknown`, `${reason}; the GRO may have it`);
}
