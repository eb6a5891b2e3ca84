import type { Counts, Recorded } from "../decider.ts";
import type { Mails } from "../mailbox.ts";
import type { OpenPurge } from "../open-work.ts";
import type { OrderEvent, OrderEventData, OrderEventType } from "./events.ts";
import type { Phase } from "./phases.ts";
import type {
  CancellationReason,
  DataClass,
  DisputeOutcome,
  FailureCause,
  FailureReason,
  GroOutcome,
  MailTemplate,
  OutcomeSource,
  PurgedKind,
  PurgeRule,
  RefundReason,
  SubmissionChannel,
} from "./vocabulary.ts";

/** What is known of an order: the fold of its events. Moments are ISO 8601 in UTC, money integer pence. */
export interface Order {
  readonly phase: Phase;
  readonly orderId: string;
  readonly orderNumber: string;
  readonly reference: string;
  readonly createdAt: string;
  readonly quotedTotalPence: number;
  readonly terms: OrderEventData<"OrderCreated">["terms"];
  readonly consent: OrderEventData<"OrderCreated">["consent"];
  readonly variant: Variant | null;
  readonly intents: Intents;
  /** The orders that it is, or was to be, paid for together with; absent where it stands alone. */
  readonly checkoutId?: string;
  readonly payments: readonly Payment[];
  /** When the payment that counts was confirmed. */
  readonly paidAt: string | null;
  readonly promise: OrderEventData<"SubmissionRequested">["promise"] | null;
  readonly confirmation: Confirmation;
  readonly attempts: Attempts;
  /** The submission of the application as it now stands; null again once it was replaced. */
  readonly submission: Submission | null;
  /** How often an application of this order was submitted to the GRO. */
  readonly submissions: number;
  readonly outcome: { readonly outcome: GroOutcome; readonly at: string } | null;
  /** When the customer entered the application again after a question of the GRO. */
  readonly replacedAt: string | null;
  /** When the dispatch was recorded. */
  readonly dispatchedAt: string | null;
  /** When the certificate left the GRO, as reported; absent until then. */
  readonly leftGroAt?: string;
  /** When its customer reported that the certificate had arrived; absent until then. */
  readonly arrivedAt?: string;
  readonly cancellationRequested: (OrderEventData<"CancellationRequested"> & { readonly at: string }) | null;
  readonly end: End | null;
  readonly refunds: readonly Refund[];
  /** Refunds of a payment for several orders of which staff say whose they are; absent while there were none. */
  readonly refundsByHand?: readonly RefundByHand[];
  /** What needs, or needed, a second person. The nth has the number n, from 1. */
  readonly proposals: readonly Proposal[];
  readonly disputes: readonly Dispute[];
  readonly vault: VaultRecords;
  readonly purges: { readonly application: PurgeRecord; readonly contact: PurgeRecord };
  readonly erasureRequestedAt: string | null;
  readonly mails: Mails<MailTemplate>;
  /** The saved drafts that the order completes and that are still to be ended; absent if there are none. */
  readonly savedDraftIds?: readonly string[];
  /** Orders that share one are for the same certificate, as far as is known; absent where it is not to be compared. */
  readonly certificateIds?: readonly string[];
  /** When links to the orders of its address were last asked for; absent until then. */
  readonly linksRequestedAt?: string;
  /** How often its email address was corrected. */
  readonly emailChanges: number;
  /** How often each repeatable event happened, for the limits in rules.ts. */
  readonly counts: Counts;
}

/** Before OrderCreated. */
interface Absent {
  readonly phase: "Absent";
}
export const absent: Absent = { phase: "Absent" };

export type OrderState = Absent | Order;

/** True once the order was created. */
export const exists = (state: OrderState): state is Order => state.phase !== "Absent";

export type Variant = Omit<OrderEventData<"VariantAdded">, "applicationRef"> & {
  /** When it was first added: from then on its price holds. */
  readonly pricedAt: string;
};

interface Intents {
  /** How many payment intents were asked for. */
  readonly count: number;
  /** The one that can be paid. */
  readonly open: { readonly intentId: string; readonly amountPence: number; readonly attempt: number } | null;
}

export interface Payment {
  readonly intentId: string;
  readonly amountPence: number;
  /** It was not due, and is refunded in full. */
  readonly unexpected: boolean;
  readonly at: string;
}

interface Confirmation {
  readonly state: "none" | "owed" | "sent" | "undeliverable";
  /** The id of the event it confirms. */
  readonly about: string | null;
  /** When it last changed. */
  readonly at: string | null;
  /** The id of the event that the first one confirms; absent before. That mail may speak for a whole checkout. */
  readonly first?: string;
  /** When one that had been sent came back, and no other had arrived; absent if none did. */
  readonly returnedAt?: string;
}

export interface Attempts {
  /** All attempts ever; the next is one more. */
  readonly count: number;
  /** Those of this application through the automation service. */
  readonly automatic: number;
  /** The first and the last start of this application's attempts. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** When the last one was certainly found to have failed. */
  readonly failedAt: string | null;
  readonly open: OpenAttempt | null;
  /** Numbers of the attempts that the GRO is known to have received. */
  readonly received: readonly number[];
}

export interface OpenAttempt {
  readonly attempt: number;
  readonly channel: SubmissionChannel;
  readonly key: string;
  readonly startedAt: string;
  /** How often the provider did not know, and when last; the start when never. */
  readonly uncertain: number;
  readonly heardAt: string;
}

export interface Submission {
  readonly attempt: number | null;
  readonly submittedAt: string;
  /** When it was recorded: what follows a submission is counted from here. */
  readonly recordedAt: string;
}

interface End {
  readonly at: string;
  readonly reason: CancellationReason | FailureReason | "fulfilled";
  /** Of a failure. */
  readonly cause: FailureCause | null;
  /** True of a failure before anything was submitted, whatever is reported later; absent otherwise. */
  readonly isUnsubmitted?: true;
}

export interface Refund {
  /** Null when it was made by hand at the provider. */
  readonly refundId: string | null;
  /** The provider's id; null until it reports one. */
  readonly providerRefundId: string | null;
  readonly intentId: string;
  readonly amountPence: number;
  /** Null when it was not asked for here. */
  readonly reason: RefundReason | null;
  readonly status: "pending" | "issued" | "failed";
  /** The proposal that it carries out. */
  readonly proposal: number | null;
  readonly way: "card" | "bankTransfer";
  readonly at: string;
}

export interface RefundByHand extends OrderEventData<"UnassignedRefundFound"> {
  /** It is known which orders have a part in it. */
  readonly isAssigned: boolean;
  readonly at: string;
}

/** Something that needs, or needed, a second person. One has lapsed when what it asks for came about otherwise. */
export type Proposal = {
  readonly status: "open" | "approved" | "declined" | "lapsed";
  readonly at: string;
} & (
  | ({ readonly kind: "refund" } & OrderEventData<"RefundProposed">)
  | ({ readonly kind: "bankTransfer" } & OrderEventData<"BankTransferProposed">)
  | ({ readonly kind: "disputeOutcome" } & OrderEventData<"DisputeOutcomeProposed">)
);

export interface Dispute extends OrderEventData<"DisputeOpened"> {
  /** Null while it is open. */
  readonly outcome: DisputeOutcome | null;
  /** Null while it is open. */
  readonly toldBy: OutcomeSource | null;
  readonly openedAt: string;
}

/** References to the records that events still name. */
export interface VaultRecords {
  readonly application: string | null;
  readonly signature: string | null;
  readonly contact: string | null;
  readonly groReferences: readonly string[];
  readonly notes: readonly string[];
  /** The references of bank transfers, proposed ones too. */
  readonly bankTransfers: readonly string[];
  /** Texts of the GRO's questions that are not known to be gone. */
  readonly questions: readonly {
    readonly ref: string;
    /** When it was no longer needed: from then on it is to be purged. Null while the GRO waits for the answer. */
    readonly closedAt: string | null;
  }[];
  readonly superseded: readonly {
    readonly ref: string;
    readonly dataClass: DataClass;
    readonly since: string;
    /** Its data is gone. The reference stays, because a record that was replaced must not come back. */
    readonly destroyed: boolean;
  }[];
}

export interface PurgeRecord {
  readonly purgedAt: string | null;
  /** What the last successful purge covered and how it was checked. */
  readonly receipt: PurgeReceipt | null;
  /** Failures since the last success. */
  readonly failures: number;
  readonly failedAt: string | null;
  /** The purge that is under way; absent while there is none. Its records are in `vault` no longer. */
  readonly open?: OpenPurge<PurgeRule, PurgedKind>;
}

export type PurgeReceipt = Omit<OrderEventData<"SensitiveDataPurged">, "startedBy">;

/** How each of some types of event changes an order. Pure, and never throws. */
export type Folds<Type extends OrderEventType> = {
  readonly [T in Type]: (order: Order, data: OrderEventData<T>, recorded: Recorded) => Order;
};

/** An event of one of some types, so that its data goes with its type. */
export type EventOf<Type extends OrderEventType> = {
  [T in Type]: Extract<OrderEvent, { type: T }> & { readonly type: T; readonly data: OrderEventData<T> };
}[Type];
