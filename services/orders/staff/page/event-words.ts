import type { EventKind } from "../../../../contract/staff-orders/timeline.ts";
import type { ActorKind } from "../../../../domain/decider.ts";
import type { OrderEvent, OrderEventData } from "../../../../domain/order/events.ts";
import { refundNumber } from "../../../../domain/order/payment/provider-keys.ts";
import { destroyedWords, ruleWords } from "../../../../domain/order/personal-data/deletion-words.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { words } from "./code-words.ts";
import { shortDay, shortMoment } from "./moments.ts";

/** An event as the timeline says it: what happened in a few words, and what there is to add. */
export type EventWords = { readonly kind: EventKind; readonly title: string; readonly detail: string | null };

const say = (kind: EventKind, title: string, detail: string | null = null): EventWords => ({
  kind,
  title,
  detail,
});

/** What anybody may do is the customer's business, unless somebody here did it. */
const byWhom = (actor: ActorKind): EventKind => (actor === "staff" ? "staff" : "customer");

const choice = ({ certificateType, copies, serviceLevel, totalPence }: OrderEventData<"VariantAdded">) => ({
  item: `${certificateType} certificate × ${copies}`,
  rest: `${words.serviceLevel[serviceLevel]}, ${formatPounds(totalPence)}`,
});

const receipt = ({ destroyed, rule }: Pick<OrderEventData<"ContactDataPurged">, "destroyed" | "rule">) =>
  `${destroyedWords(destroyed)}; because ${ruleWords(rule)}; the probe found nothing to read`;

const begun = ({ records, rule }: OrderEventData<"ContactDataPurgeStarted">) =>
  `${records.length} ${records.length === 1 ? "record" : "records"}; because ${ruleWords(rule)}`;

const mail = ({ template, templateVersion }: OrderEventData<"MailSent">) =>
  `${words.mail[template]}, template ${templateVersion}`;

const refund = ({
  refundId,
  amountPence,
}: Pick<OrderEventData<"RefundIssued">, "refundId" | "amountPence">) =>
  refundId === null
    ? `${formatPounds(amountPence)}, made by hand at the provider`
    : `${formatPounds(amountPence)}, refund ${refundNumber(refundId)}`;

const proposal = ({ proposal, reason }: OrderEventData<"RefundProposed">) =>
  `proposal ${proposal}, ${words.refund[reason]}; a second person has to approve it`;

const agreed = ({ terms, consent }: OrderEventData<"OrderCreated">): string =>
  [
    terms ? `terms ${terms.version}` : "terms not accepted",
    consent ? `consent ${consent.version} to begin given` : "no consent to begin",
  ].join(", ");

const ofAttempt = (attempt: number | null): string | null =>
  attempt === null ? "no attempt of ours" : `attempt ${attempt}`;

/** What an event says to those who work here. A type of event without words does not compile. */
export function wordsOf(event: OrderEvent, actor: ActorKind): EventWords {
  switch (event.type) {
    case "OrderCreated":
      return say("customer", "Order placed", agreed(event.data));
    case "VariantAdded":
      return say("customer", `${choice(event.data).item} added`, choice(event.data).rest);
    case "VariantReplaced":
      return say("customer", `Changed to ${choice(event.data).item}`, choice(event.data).rest);
    case "PaymentRequested":
      return say(
        "money",
        `Payment of ${formatPounds(event.data.amountPence)} asked for`,
        ofAttempt(event.data.attempt),
      );
    case "PaymentFailed":
      return say("money", "Payment failed", words.paymentFailure[event.data.code]);
    case "PaymentConfirmed":
      return say("money", `Paid ${formatPounds(event.data.amountPence)}`, event.data.intentId);
    case "PaymentReceivedUnexpectedly":
      return say(
        "money",
        `${formatPounds(event.data.amountPence)} came when nothing was due`,
        "it goes back in full",
      );
    case "SubmissionRequested":
      return say(
        "customer",
        "Submission asked for",
        `despatch promised by ${shortDay(event.data.promise.despatchBy)}`,
      );
    case "ConfirmationSent":
      return say("customer", "Confirmation sent", `template ${event.data.templateVersion}`);
    case "ConfirmationUndeliverable":
      return say(
        "customer",
        "Confirmation could not be delivered",
        "nothing goes to the GRO before one arrives",
      );
    case "MailSent":
      return say("customer", "Mail sent", mail(event.data));
    case "MailUndeliverable":
      return say("customer", "Mail could not be delivered", mail(event.data));
    case "ContactCorrected":
      return say(byWhom(actor), "Contact details corrected", "the old ones are destroyed");
    case "ApplicationAmended":
      return say(byWhom(actor), "Application changed before submission", "the old one is destroyed");
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
      return say("privacy", "Destruction of application data begun", begun(event.data));
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
        `${words.purgeFailure[event.data.code]}, try ${event.data.attempt}`,
      );
    case "GROOutcomeRecorded":
      return say("gro", words.outcome[event.data.outcome], ofAttempt(event.data.attempt));
    case "ApplicationReplaced":
      return say(byWhom(actor), "Application entered again", "it goes to the GRO once more");
    case "CertificateDispatched":
      return say("gro", "Certificate despatched", `on ${shortMoment(event.data.dispatchedAt)}`);
    case "OrderFulfilled":
      return say("customer", "Order fulfilled");
    case "CancellationRequested":
      return say(byWhom(actor), "Cancellation asked for", "it waits for the open attempt");
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
      return say("money", "Refund asked for", `${refund(event.data)}, ${words.refund[event.data.reason]}`);
    case "RefundIssued":
      return say("money", "Refund made", refund(event.data));
    case "RefundFailed":
      return say("money", "Refund failed", `${refund(event.data)}, ${words.refundFailure[event.data.code]}`);
    case "BankTransferProposed":
      return say(
        "money",
        `Bank transfer of ${formatPounds(event.data.amountPence)} proposed`,
        `proposal ${event.data.proposal}; a second person has to approve it`,
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
        `Bank transfer ${event.data.transfer} came back`,
        "the money is to go back another way",
      );
    case "DisputeOpened":
      return say(
        "money",
        `Dispute over ${formatPounds(event.data.amountPence)} opened`,
        `${words.dispute[event.data.reason]}; no refund while it is open`,
      );
    case "DisputeOutcomeProposed":
      return say(
        "money",
        "Outcome of a dispute proposed",
        `proposal ${event.data.proposal}, ${words.disputeOutcome[event.data.outcome]}; a second person has to approve it`,
      );
    case "DisputeOutcomeDeclined":
      return say("money", "Proposed outcome of a dispute declined", `proposal ${event.data.proposal}`);
    case "DisputeClosed":
      return say(
        "money",
        "Dispute closed",
        `${words.disputeOutcome[event.data.outcome]}, ${event.data.toldBy === "staff" ? "as staff recorded" : "as the provider told"}`,
      );
    case "DisputeReopened":
      return say(
        "money",
        "Dispute open again",
        "the provider still has it open; no refund until it is closed",
      );
    case "NoteAdded":
      return say("staff", "Note added", "sealed with the contact data");
    case "PersonalDataRevealed":
      return say(
        "privacy",
        `Looked at ${words.dataClass[event.data.dataClass]}`,
        words.reveal[event.data.reason],
      );
    case "ErasureRequested":
      return say("privacy", "Erasure asked for", "done once nothing lawful needs the data");
    case "ContactDataPurgeStarted":
      return say("privacy", "Destruction of contact data begun", begun(event.data));
    case "ContactDataPurged":
      return say("privacy", "Contact data destroyed", receipt(event.data));
    case "ReplacedRecordPurged":
      return say(
        "privacy",
        `Replaced ${words.dataClass[event.data.dataClass]} destroyed`,
        "it cannot be read any more",
      );
    default:
      return event satisfies never;
  }
}

const after = (seconds: number | null): string => (seconds === null ? "" : ` ${seconds} s after submission`);

function failedAttempt({ attempt, code, certain }: OrderEventData<"SubmissionFailed">): EventWords {
  const reason = words.submissionFailure[code];
  return certain
    ? say("gro", `Attempt ${attempt} failed`, `${reason}; the GRO certainly does not have it`)
    : say("gro", `Attempt ${attempt}: nobody knows`, `${reason}; the GRO may have it`);
}
