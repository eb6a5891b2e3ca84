import type { ActorKind } from "../../../domain/decider.ts";
import { secondsPerDay } from "../../../domain/instant.ts";
import type { OrderCommand } from "../../../domain/order/commands.ts";
import { refundIdOf } from "../../../domain/order/payment/provider-keys.ts";
import { exists, type OrderState } from "../../../domain/order/state.ts";
import type {
  CertificateType,
  DataClass,
  PurgeRule,
  RefundReason,
  ServiceLevel,
} from "../../../domain/order/vocabulary.ts";
import {
  feePerCopyOf,
  firstPriceList,
  firstPriceLists,
  returnedWhenNotFoundPence,
} from "../../../domain/pricing/price-list.ts";
import { between, pickWeighted } from "./seeded-random.ts";

export type Ending = "fulfilled" | "cancelled" | "expired" | "failed" | "notFound";

/** Every id, reference and time of a life, by name, to be replaced in a copy. */
export const marks = {
  orderId: "eeeeeeee-0000-4000-8000-000000000001",
  contact: "eeeeeeee-0000-4000-8000-000000000002",
  signature: "eeeeeeee-0000-4000-8000-000000000003",
  application: "eeeeeeee-0000-4000-8000-000000000004",
  groReference: "eeeeeeee-0000-4000-8000-000000000005",
  orderNumber: "ZZZZ-ZZZZ-ZZZZZ",
  reference: "REF-2001-999",
  intentId: "pi_EEEEEEEEEEEEEEEE",
  applicationKey: "e".repeat(64),
  contactKey: "f".repeat(64),
} as const;

export const commandMark = (n: number): string => `eeeeeeee-0000-4000-9000-${String(n).padStart(12, "0")}`;
export const eventMark = (n: number): string => `eeeeeeee-0000-4000-a000-${String(n).padStart(12, "0")}`;

export function chosen(random: () => number) {
  const certificateType = pickWeighted<CertificateType>(random, [
    ["Birth", 55],
    ["Death", 25],
    ["Marriage", 17],
    ["Adoption", 3],
  ]);
  const serviceLevel = pickWeighted<ServiceLevel>(random, [
    ["standard", 70],
    ["priority", 30],
  ]);
  const copies = pickWeighted(random, [
    [1, 62],
    [2, 25],
    [3, 8],
    [4, 3],
    [5, 2],
  ]);
  const unitPence = firstPriceList.unitPricePence[certificateType][serviceLevel];
  const groReferenceKnown = random() < 0.4;
  return { certificateType, serviceLevel, copies, unitPence, groReferenceKnown };
}
type Chosen = ReturnType<typeof chosen>;

/** A command issued this many seconds after the step before. */
type Step = readonly [
  secondsLater: number,
  kind: ActorKind,
  command: (at: string, order: OrderState) => OrderCommand,
];

const { orderId, intentId } = marks;

/** From the first click to the card's page. */
export function buying(random: () => number, choice: Chosen): Step[] {
  const { unitPence, ...variant } = choice;
  const amountPence = unitPence * choice.copies;
  const order = { orderId, orderNumber: marks.orderNumber, reference: marks.reference };
  const refs = { contactRef: marks.contact, signatureRef: marks.signature };
  const versions = { priceLists: firstPriceLists, termsVersion: 1, consentVersion: 1 };
  const way = { shortCopies: 0, deliveryMethod: "Post", apostille: false } as const;
  const intent = { intentId, amountPence, attempt: 1, closedIntentId: null, checkoutId: null };
  return [
    [
      0,
      "customer",
      () => ({
        type: "CreateOrder",
        data: {
          ...order,
          ...versions,
          ...refs,
          quotedTotalPence: amountPence,
          savedDraftIds: [],
          certificateId: null,
        },
      }),
    ],
    [
      between(random, 1, 3),
      "customer",
      () => ({
        type: "AddVariant",
        data: {
          ...variant,
          ...way,
          amountPence,
          priceLists: firstPriceLists,
          applicationRef: marks.application,
        },
      }),
    ],
    [between(random, 1, 4), "customer", () => ({ type: "RequestPayment", data: intent })],
  ];
}

export const paying = (random: () => number, amountPence: number): Step[] => [
  [between(random, 20, 400), "provider", () => ({ type: "ConfirmPayment", data: { intentId, amountPence } })],
];

/**
 * The event that the confirmation refers to: the request for submission, after opening, choosing, requesting payment
 * and paying.
 */
const requested = eventMark(4);

const application = (random: () => number, rule: PurgeRule): Step[] => [
  [between(random, 5, 14), "system", () => ({ type: "StartSensitiveDataPurge", data: { rule } })],
  [
    0,
    "system",
    (_, order) => ({
      type: "PurgeSensitiveData",
      data: purged(["application", "signature"], startOf(order, "application"), marks.applicationKey),
    }),
  ],
];

/** From the payment until the GRO has it and the application is purged. */
const submitting = (random: () => number): Step[] => [
  [between(random, 1, 60), "customer", () => ({ type: "RequestSubmission", data: {} })],
  [
    between(random, 1, 9),
    "system",
    () => ({
      type: "RecordMail",
      data: { template: "confirmation", templateVersion: 1, result: "sent", about: requested },
    }),
  ],
  [1, "system", () => ({ type: "StartSubmission", data: { attempt: 1, channel: "automation" } })],
  [
    between(random, 2, 240),
    "system",
    (at) => ({
      type: "RecordSubmission",
      data: { attempt: 1, groReferenceRef: marks.groReference, submittedAt: at },
    }),
  ],
  ...application(random, "submitted"),
];

const purged = (
  destroyed: ["application", "signature"] | ["contact", "fingerprintKey"],
  startedBy: string,
  keyFingerprint: string,
) => ({ outcome: "purged", startedBy, destroyed, keyFingerprint, probe: "unreadable", records: 2 }) as const;

function startOf(order: OrderState, dataClass: DataClass): string {
  const open = exists(order) ? order.purges[dataClass].open : undefined;
  if (!open) throw new Error("The purge was started in the step before.");
  return open.startedBy;
}

export const contact = (secondsLater: number, rule: PurgeRule): Step[] => [
  [secondsLater, "system", () => ({ type: "StartContactDataPurge", data: { rule } })],
  [
    0,
    "system",
    (_, order) => ({
      type: "PurgeContactData",
      data: purged(["contact", "fingerprintKey"], startOf(order, "contact"), marks.contactKey),
    }),
  ],
];

const refund = (random: () => number, amountPence: number, reason: RefundReason): Step[] => [
  [
    1,
    "system",
    () => ({ type: "RequestRefund", data: { intentId, amountPence, reason, approvalAbovePence: null } }),
  ],
  [
    between(random, 2, 90),
    "provider",
    () => ({
      type: "RecordRefund",
      data: { refundId: refundIdOf(orderId, 1), providerRefundId: `re_${intentId}`, intentId, amountPence },
    }),
  ],
];

const days = (random: () => number, least: number, most: number) =>
  between(random, least * secondsPerDay, most * secondsPerDay);

/** The GRO's refund for a record it did not find. */
const returnedPence = ({ unitPence, serviceLevel, groReferenceKnown, copies }: Chosen): number =>
  returnedWhenNotFoundPence(feePerCopyOf(unitPence, serviceLevel, groReferenceKnown), copies);

/** The steps after payment, or after the lack of one. */
export function ending(random: () => number, how: Ending, choice: Chosen): Step[] {
  const amountPence = choice.unitPence * choice.copies;
  switch (how) {
    case "fulfilled":
      return [
        ...submitting(random),
        [
          days(random, 2, 19),
          "provider",
          (at) => ({ type: "RecordDispatch", data: { attempt: 1, dispatchedAt: at } }),
        ],
        [1, "system", () => ({ type: "FulfilOrder", data: {} })],
        [days(random, 2, 6), "customer", () => ({ type: "ReportArrival", data: {} })],
      ];
    case "notFound":
      return [
        ...submitting(random),
        [
          days(random, 3, 15),
          "provider",
          () => ({ type: "RecordGROOutcome", data: { attempt: 1, outcome: "notFound", questionRef: null } }),
        ],
        [1, "system", () => ({ type: "FailOrder", data: { cause: "gro", reason: "recordNotFound" } })],
        ...refund(random, returnedPence(choice), "recordNotFound"),
      ];
    case "cancelled":
      return [
        [
          between(random, 5, 50),
          "customer",
          () => ({ type: "CancelOrder", data: { reason: "customerRequest", closedIntentId: null } }),
        ],
        ...application(random, "cancelled"),
        ...refund(random, amountPence, "cancelled"),
      ];
    case "failed":
      return [
        [
          days(random, 6, 7),
          "staff",
          () => ({ type: "FailOrder", data: { cause: "ours", reason: "serviceError" } }),
        ],
        ...application(random, "failed"),
        ...refund(random, amountPence, "failedByUs"),
      ];
    case "expired":
      return [
        [
          secondsPerDay,
          "system",
          () => ({ type: "CancelOrder", data: { reason: "expired", closedIntentId: intentId } }),
        ],
        ...application(random, "neverPaid"),
        ...contact(1, "neverPaid"),
      ];
  }
}
