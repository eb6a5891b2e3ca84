import type { Recorded } from "../../domain/decider.ts";
import { type OrderEvent, orderEventSchema, orderEventSchemas } from "../../domain/order/events.ts";
import { evolve } from "../../domain/order/evolve.ts";
import { awaitsAnswer } from "../../domain/order/personal-data/vault-records.ts";
import { absent, exists, type Order, type PurgeReceipt } from "../../domain/order/state.ts";
import { type HistoryEntry, type OrderStatus, publicEntry, statusOf } from "../../domain/order/status.ts";
import { eventReader } from "../runner/projection.ts";

/** The deletion receipt and its time. */
type DeletionReceipt = PurgeReceipt & { readonly purgedAt: string };

/** Folded by the read model of orders: the domain's own state, so that no rule is repeated, and what it forgets. */
export type OrderRecord = {
  readonly order: Order;
  /** When the last event was decided, ISO 8601 in UTC. */
  readonly updatedAt: string;
  /** For the tracking page, newest first. */
  readonly statusHistory: readonly HistoryEntry[];
  /** Of the latest purge of application data; null before the first. */
  readonly receipt: DeletionReceipt | null;
  /** When it was first submitted to the GRO. */
  readonly firstSubmittedAt: string | null;
  /** From that or a later submission to the purge of the application. */
  readonly secondsToPurge: number | null;
};

export const readOrderEvent = eventReader(orderEventSchemas, orderEventSchema);

/** The order after an event. @throws ImpossibleHistory */
export function evolveRecord(
  record: OrderRecord | undefined,
  event: OrderEvent,
  recorded: Recorded,
): OrderRecord {
  const before = record ? statusOf(record.order.phase) : "Pending";
  const order = evolve(record?.order ?? absent, event, recorded);
  if (!exists(order)) throw new Error(`There is no order after ${event.type}.`);
  const bringsText = event.type === "GROOutcomeRecorded" && event.data.questionRef !== null;
  const wasAsked = record !== undefined && awaitsAnswer(record.order);
  // The text of a question that the history has already.
  const entry = bringsText && wasAsked ? undefined : publicEntry(event, recorded.at, before);
  const history = record?.statusHistory ?? [];
  return {
    order,
    updatedAt: recorded.at,
    statusHistory: entry ? [entry, ...history] : history,
    receipt: receiptOf(event, recorded.at) ?? record?.receipt ?? null,
    firstSubmittedAt: record?.firstSubmittedAt ?? order.submission?.submittedAt ?? null,
    secondsToPurge: secondsToPurgeOf(event) ?? record?.secondsToPurge ?? null,
  };
}

function receiptOf(event: OrderEvent, at: string): DeletionReceipt | undefined {
  if (event.type !== "SensitiveDataPurged") return undefined;
  const { startedBy: _, ...receipt } = event.data;
  return { ...receipt, purgedAt: at };
}

const secondsToPurgeOf = (event: OrderEvent): number | null =>
  event.type === "SensitiveDataPurged" ? event.data.secondsSinceSubmission : null;

/** Price of the order in pence: the variant's total, or the quoted total before there is one. */
export const totalPenceOf = ({ variant, quotedTotalPence }: Order): number =>
  variant?.totalPence ?? quotedTotalPence;

const at = "2026-11-22T10:00:00.000Z";
const never = { purgedAt: null, receipt: null, failures: 0, failedAt: null };

const deletion: PurgeReceipt = {
  destroyed: ["application", "signature"],
  rule: "submitted",
  keyFingerprint: "",
  probe: "unreadable",
  records: 2,
  secondsSinceSubmission: 5,
};

/** What most orders have in common, in the order of their JSON. */
const usualOrder: Order = {
  orderId: "",
  orderNumber: "",
  reference: "",
  quotedTotalPence: 4500,
  terms: { version: 4, acceptedAt: at },
  consent: { version: 2, acceptedAt: at },
  phase: "Submitted",
  createdAt: at,
  variant: {
    certificateType: "Birth",
    copies: 1,
    shortCopies: 0,
    serviceLevel: "standard",
    deliveryMethod: "Post",
    apostille: false,
    groReferenceKnown: false,
    unitPricePence: 4500,
    totalPence: 4500,
    priceListVersion: 1,
    feePerCopy: { groFeePence: 1250, groSearchFeePence: 350, ourFeePence: 2900 },
    pricedAt: at,
  },
  intents: { count: 1, open: null },
  payments: [{ intentId: "pi_", amountPence: 4500, unexpected: false, at }],
  paidAt: at,
  promise: { receivedOn: "2026-11-22", despatchBy: "2026-12-14" },
  confirmation: { state: "sent", about: "", at, first: "" },
  attempts: { count: 1, automatic: 1, firstAt: at, lastAt: at, failedAt: null, open: null, received: [1] },
  submission: { attempt: 1, submittedAt: at, recordedAt: at },
  submissions: 1,
  outcome: null,
  replacedAt: null,
  dispatchedAt: null,
  cancellationRequested: null,
  end: null,
  refunds: [],
  proposals: [],
  disputes: [],
  vault: {
    application: null,
    signature: null,
    contact: "",
    groReferences: [""],
    notes: [],
    bankTransfers: [],
    questions: [],
    superseded: [],
  },
  purges: {
    application: { purgedAt: at, receipt: deletion, failures: 0, failedAt: null },
    contact: never,
  },
  erasureRequestedAt: null,
  mails: {
    owed: [],
    sent: [
      { template: "confirmation", about: "", since: at },
      { template: "submitted", about: "", since: at },
      { template: "dataDeleted", about: "", since: at },
    ],
  },
  certificateIds: [""],
  emailChanges: 0,
  counts: { PaymentRequested: 1, SubmissionStarted: 1 },
};

const entry = (status: OrderStatus, text: string): HistoryEntry => ({ status, text, timestamp: at });
const firstEntries = [
  entry("Processing", "We received your payment"),
  entry("Pending", "We received your order"),
];

const usualRecord: OrderRecord = {
  order: usualOrder,
  updatedAt: at,
  statusHistory: [
    entry("Processing", "Your sensitive data was deleted, 5 seconds after submission"),
    entry("Processing", "Your application was sent to the General Register Office"),
    ...firstEntries,
  ],
  receipt: { ...deletion, purgedAt: at },
  firstSubmittedAt: at,
  secondsToPurge: 5,
};

/** Once paid for. */
const earlierRecord: OrderRecord = {
  order: {
    ...usualOrder,
    phase: "Paid",
    confirmation: { state: "owed", about: "", at, first: "" },
    attempts: {
      ...{ count: 0, automatic: 0, firstAt: null, lastAt: null },
      ...{ failedAt: null, open: null, received: [] },
    },
    submission: null,
    submissions: 0,
    vault: { ...usualOrder.vault, application: "", signature: "", groReferences: [] },
    purges: { application: never, contact: never },
    mails: { owed: [{ template: "confirmation", about: "", since: at }], sent: [] },
    counts: { PaymentRequested: 1 },
  },
  updatedAt: at,
  statusHistory: firstEntries,
  receipt: null,
  firstSubmittedAt: null,
  secondsToPurge: null,
};

/** The dictionary of the rows. A change needs a new version of the read model. */
export const usualRecords: readonly OrderRecord[] = [earlierRecord, usualRecord];
