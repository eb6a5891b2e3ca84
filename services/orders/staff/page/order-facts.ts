import type { Presented } from "../../../../contract/request.ts";
import type { changeShown, factShown } from "../../../../contract/staff-orders/order-page.ts";
import { isUnreachable } from "../../../../domain/mailbox.ts";
import { capturedPence, pendingRefundPence, refundedPence } from "../../../../domain/order/payment/money.ts";
import { questionOf } from "../../../../domain/order/personal-data/vault-records.ts";
import type { Order, PurgeRecord, Variant, VaultRecords } from "../../../../domain/order/state.ts";
import { phaseWords } from "../../../../domain/order/status.ts";
import { mostAutomaticAttempts } from "../../../../domain/order/submission/submission-window.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { arrivalBy } from "../../../../domain/promise/timetable.ts";
import { shortDay, shortMoment } from "../../../documents/dates.ts";
import { words, wordsOfProposal } from "./code-words.ts";

type Fact = Presented<typeof factShown>;

type Change = Presented<typeof changeShown>;

const promised = (despatchBy: string): string =>
  `despatch by ${shortDay(despatchBy)}, likely arrival by ${shortDay(arrivalBy(despatchBy))}`;

/** The state of an order in words, without personal data. Lines that do not apply yet are left out. */
export function factsOf(order: Order): Fact[] {
  const lines: readonly (readonly [name: string, label: string, value: string | null])[] = [
    ["phase", "Phase", phase(order)],
    ["item", "Item", order.variant && item(order.variant)],
    ["price", "Price", price(order)],
    ["paid", "Paid", paid(order)],
    ["intent", "Open payment", openIntent(order)],
    ["refunds", "Refunds", refunds(order)],
    ["proposals", "Proposals", proposals(order)],
    ["disputes", "Disputes", disputes(order)],
    ["promise", "Promise", order.promise && promised(order.promise.despatchBy)],
    ["confirmation", "Confirmation", confirmation(order)],
    ["attempt", "Open attempt", openAttempt(order)],
    ["submission", "With the GRO", submission(order)],
    ["outcome", "GRO’s answer", order.outcome && words.outcome[order.outcome.outcome]],
    ["question", "Text of its question", question(order.vault)],
    ["dispatched", "Despatched", order.leftGroAt === undefined ? null : shortMoment(order.leftGroAt)],
    ["arrived", "Arrived", order.arrivedAt === undefined ? null : shortMoment(order.arrivedAt)],
    [
      "cancellation",
      "Cancellation",
      order.cancellationRequested && "requested, waiting for the open attempt",
    ],
    ["end", "Ended", end(order)],
    ["application", "Application", held(order.vault.application, order.purges.application)],
    ["contact", "Contact data", held(order.vault.contact, order.purges.contact)],
    ["replaced", "Replaced records", replacedRecords(order)],
    [
      "erasure",
      "Erasure",
      order.erasureRequestedAt && `requested on ${shortMoment(order.erasureRequestedAt)}`,
    ],
    ["address", "Email address", address(order)],
    ["mails", "Emails to send", mailsOwed(order)],
  ];
  return lines.flatMap(([name, label, value]) => (value === null ? [] : [{ name, label, value }]));
}

/** The lines that differ between two states; without an earlier state, every line is new. */
export function changesBetween(before: Order | undefined, after: Order): Change[] {
  const old = new Map((before ? factsOf(before) : []).map((fact) => [fact.name, fact]));
  const now = factsOf(after);
  const names = new Set(now.map(({ name }) => name));
  const gone = [...old.values()].filter(({ name }) => !names.has(name));
  return [
    ...now
      .filter(({ name, value }) => old.get(name)?.value !== value)
      .map(({ name, label, value }) => ({ label, before: old.get(name)?.value ?? null, after: value })),
    ...gone.map(({ label, value }) => ({ label, before: value, after: null })),
  ];
}

function phase({ phase, attempts }: Order): string {
  const { automatic } = attempts;
  if (automatic === 0 || (phase !== "Confirmed" && phase !== "Submitting")) return phaseWords(phase);
  return `${phase} · ${automatic} of ${mostAutomaticAttempts} automatic attempts`;
}

const item = ({ certificateType, copies, shortCopies, serviceLevel, groReferenceKnown }: Variant): string =>
  [
    `${certificateType} certificate × ${copies}`,
    ...(shortCopies > 0 ? [`${shortCopies} short`] : []),
    words.serviceLevel[serviceLevel],
    groReferenceKnown ? "GRO reference given" : "no GRO reference",
  ].join(", ");

function price({ variant, quotedTotalPence }: Order): string {
  if (variant === null) return `${formatPounds(quotedTotalPence)} quoted`;
  const { feePerCopy, copies, totalPence } = variant;
  const toGro = (feePerCopy.groFeePence + feePerCopy.groSearchFeePence) * copies;
  return `${formatPounds(totalPence)} (GRO ${formatPounds(toGro)})`;
}

const paid = (order: Order): string =>
  order.payments.length === 0 ? "nothing yet" : formatPounds(capturedPence(order));

const openIntent = ({ intents: { open } }: Order): string | null =>
  open && `${formatPounds(open.amountPence)}, attempt ${open.attempt}`;

function refunds(order: Order): string | null {
  if (order.payments.length === 0) return null;
  const failed = order.refunds.filter(({ status }) => status === "failed").length;
  const parts = [
    ...(refundedPence(order) > 0 ? [`${formatPounds(refundedPence(order))} made`] : []),
    ...(pendingRefundPence(order) > 0 ? [`${formatPounds(pendingRefundPence(order))} in progress`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return parts.length === 0 ? "none" : parts.join(", ");
}

function proposals(order: Order): string | null {
  const open = order.proposals.filter(({ status }) => status === "open");
  return open.length === 0
    ? null
    : open
        .map((proposal) => `${wordsOfProposal(order, proposal)}, needs a second person’s approval`)
        .join("; ");
}

const disputes = ({ disputes }: Order): string | null =>
  disputes.length === 0
    ? null
    : disputes
        .map(
          ({ amountPence, outcome }) =>
            `${formatPounds(amountPence)}, ${outcome === null ? "open" : words.disputeOutcome[outcome]}`,
        )
        .join("; ");

const confirmations = {
  none: null,
  owed: "to be sent",
  sent: "sent",
  undeliverable: "could not be delivered",
} as const;

const confirmation = ({ confirmation: { state } }: Order): string | null => confirmations[state];

function openAttempt({ attempts: { open } }: Order): string | null {
  if (open === null) return null;
  const times = open.uncertain === 1 ? "once" : `${open.uncertain} times`;
  const doubt = open.uncertain > 0 ? `, checked ${times} without an answer` : "";
  return `attempt ${open.attempt}, ${words.channel[open.channel]}, since ${shortMoment(open.startedAt)}${doubt}`;
}

function submission({ submission }: Order): string | null {
  if (submission === null) return null;
  const { attempt, submittedAt } = submission;
  return `since ${shortMoment(submittedAt)}${attempt === null ? "" : `, attempt ${attempt}`}`;
}

function end({ end, phase }: Order): string | null {
  if (end === null || end.reason === "fulfilled") return end && shortMoment(end.at);
  const reason = phase === "Failed" ? failure(end.reason) : cancellation(end.reason);
  const cause = end.cause === null ? "" : `${words.failureCause[end.cause]}: `;
  return `${shortMoment(end.at)}, ${cause}${reason}`;
}

const failures: Readonly<Record<string, string>> = words.failure;
const cancellations: Readonly<Record<string, string>> = words.cancellation;
const failure = (reason: string): string => failures[reason] ?? reason;
const cancellation = (reason: string): string => cancellations[reason] ?? reason;

function held(ref: string | null, { purgedAt, receipt, failures, open }: PurgeRecord): string {
  const failed = failures > 0 ? `, destruction failed ${failures} times` : "";
  if (open) return `destruction started ${shortMoment(open.at)}${failed}`;
  if (ref !== null) return `sealed in the vault${failed}`;
  if (purgedAt === null) return "none";
  const seconds = receipt?.secondsSinceSubmission;
  return typeof seconds === "number"
    ? `destroyed ${seconds} s after submission${failed}`
    : `destroyed on ${shortMoment(purgedAt)}${failed}`;
}

function question(vault: VaultRecords): string | null {
  if (vault.questions.length === 0) return null;
  return questionOf(vault) === null ? "being destroyed" : "sealed in the vault";
}

const replacedRecords = ({ vault: { superseded } }: Order): string | null =>
  superseded.length === 0 ? null : `${superseded.length}, each destroyed automatically`;

function address({ mails }: Order): string | null {
  if (isUnreachable(mails)) return "emails come back: none is sent until it is corrected or confirmed";
  return mails.unwanted ? "an email was reported as spam: only necessary ones are sent" : null;
}

const mailsOwed = ({ mails: { owed } }: Order): string | null =>
  owed.length === 0 ? null : owed.map(({ template }) => words.mail[template]).join(", ");
