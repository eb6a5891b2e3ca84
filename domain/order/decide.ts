import { type CommandMetadata, type Decider, Refused } from "../decider.ts";
import { isPossibleQuote, priceListAt } from "../pricing/price-list.ts";
import type { OrderCommand, OrderCommandData, OrderCommandType } from "./commands.ts";
import type { OrderEvent } from "./events.ts";
import { evolve } from "./evolve.ts";
import { paymentDecisions } from "./payment/decide-payment.ts";
import { disputeDecisions, proposalDecisions, refundDecisions } from "./payment/decide-refunds.ts";
import { hasRefund } from "./payment/money.ts";
import { privacyDecisions } from "./personal-data/decide-privacy.ts";
import { cellOf, isUnpaid } from "./phases.ts";
import { type CommandOf, type Decisions, forbidden, orderLimits } from "./rules.ts";
import { absent, exists, type Order, type OrderState } from "./state.ts";
import { confirmationDecisions, submissionDecisions } from "./submission/decide-submission.ts";
import { mostCertificateIds } from "./vocabulary.ts";

/** @throws Refused when the phase would allow the cancellation, and a finer rule forbids it */
function assertCancellable(order: Order, { reason, closedIntentId }: OrderCommandData<"CancelOrder">): void {
  const { phase } = order;
  // A payment or a confirmation came first.
  const isForUnpaid = reason === "expired" || reason === "replaced";
  if (isForUnpaid && !isUnpaid(phase)) throw forbidden(order, "already-paid");
  if (reason === "unconfirmed" && phase !== "Paid") {
    throw forbidden(order, isUnpaid(phase) ? "not-paid" : "already-confirmed");
  }
  const { open } = order.intents;
  if (isUnpaid(phase) && open && open.intentId !== closedIntentId) {
    throw forbidden(order, "payment-open", { intentId: open.intentId });
  }
  // After a query the application is back with us, but the GRO had it: the terms no longer allow a cancellation.
  if (!isUnpaid(phase) && order.submissions > 0) throw forbidden(order, "already-submitted");
}

const duplicateDecisions: Decisions<"RecordSameCertificate"> = {
  RecordSameCertificate({ certificateIds: known = [] }, data) {
    const others = data.certificateIds.filter((id) => !known.includes(id));
    const certificateIds = others.slice(0, mostCertificateIds - known.length);
    return certificateIds.length > 0 ? [{ type: "SameCertificateFound", data: { certificateIds } }] : [];
  },
};

const draftDecisions: Decisions<"RecordSavedDraftsEnded"> = {
  RecordSavedDraftsEnded: ({ savedDraftIds = [] }) =>
    savedDraftIds.length > 0 ? [{ type: "SavedDraftsEnded", data: {} }] : [],
};

/** How an order ends. */
const endDecisions: Decisions<"FulfilOrder" | "ReportArrival" | "CancelOrder" | "FailOrder"> = {
  FulfilOrder: ({ phase }) => (phase === "Fulfilled" ? [] : [{ type: "OrderFulfilled", data: {} }]),

  ReportArrival(order) {
    if (order.arrivedAt !== undefined) return [];
    if (hasRefund(order)) throw forbidden(order, "already-refunded");
    return [{ type: "CertificateArrived", data: {} }];
  },

  CancelOrder(order, data, { actor }) {
    if (order.phase === "Cancelled") return [];
    assertCancellable(order, data);
    const cancellation = { reason: data.reason, by: actor.kind };
    if (order.phase !== "Submitting") return [{ type: "OrderCancelled", data: cancellation }];
    return order.cancellationRequested ? [] : [{ type: "CancellationRequested", data: cancellation }];
  },

  FailOrder: ({ phase }, data) => (phase === "Failed" ? [] : [{ type: "OrderFailed", data }]),
};

type Later = Exclude<OrderCommandType, "CreateOrder">;

const decisions: Decisions<Later> = {
  ...duplicateDecisions,
  ...draftDecisions,
  ...paymentDecisions,
  ...confirmationDecisions,
  ...submissionDecisions,
  ...endDecisions,
  ...refundDecisions,
  ...proposalDecisions,
  ...disputeDecisions,
  ...privacyDecisions,
};

function create(
  { priceLists, ...data }: OrderCommandData<"CreateOrder">,
  { at }: CommandMetadata,
): OrderEvent[] {
  const list = priceListAt(at, priceLists);
  if (!isPossibleQuote(data.quotedTotalPence, list)) {
    const { Birth: unit } = list.unitPricePence;
    const details = { standardPence: unit.standard, priorityPence: unit.priority };
    throw new Refused({ code: "impossible-quote", phase: "Absent", rule: "not-in-price-list", details });
  }
  const { termsVersion, consentVersion, savedDraftIds, ...order } = data;
  const accepted = (version: number | null) => (version === null ? null : { version, acceptedAt: at });
  return [
    {
      type: "OrderCreated",
      data: { ...order, terms: accepted(termsVersion), consent: accepted(consentVersion) },
    },
    ...(savedDraftIds.length > 0
      ? [{ type: "SavedDraftsLinked" as const, data: { draftIds: savedDraftIds } }]
      : []),
  ];
}

function decideOn<Type extends Later>(
  order: Order,
  command: CommandOf<Type>,
  metadata: CommandMetadata,
): OrderEvent[] {
  const cell = cellOf(command.type, order.phase);
  if (cell !== "allowed") throw forbidden(order, cell);
  const events = decisions[command.type](order, command.data, metadata);
  const limit = orderLimits.reached(order.counts, events, metadata.actor);
  if (limit) throw forbidden(order, limit.rule, { most: limit.most });
  return events;
}

/**
 * The events that a command leads to; none when there is nothing to change.
 * @throws Refused when the phase or a finer rule forbids it
 */
export function decide(state: OrderState, command: OrderCommand, metadata: CommandMetadata): OrderEvent[] {
  if (command.type === "CreateOrder") {
    if (exists(state)) throw forbidden(state, "already-exists");
    return create(command.data, metadata);
  }
  if (!exists(state)) throw new Refused({ code: "unknown-order", phase: "Absent", rule: "unknown-order" });
  return decideOn(state, command, metadata);
}

/** The order's decider: its initial state, how events change it, and how it decides. */
export const orderDecider: Decider<OrderState, OrderCommand, OrderEvent> = {
  initial: absent,
  evolve,
  decide,
};
