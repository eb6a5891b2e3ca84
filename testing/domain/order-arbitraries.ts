import fc from "fast-check";
import { z } from "zod";
import * as field from "../../domain/fields.ts";
import { type OrderCommand, orderCommandSchemas } from "../../domain/order/commands.ts";
import {
  type OrderEvent,
  type OrderEventData,
  orderEventSchema,
  orderEventSchemas,
} from "../../domain/order/events.ts";
import { firstPriceLists } from "../../domain/pricing/price-list.ts";
import { priceLists } from "../../domain/pricing/price-list-fields.ts";
import {
  cancellationAsked,
  closedByStaff,
  disputed,
  historyTo,
  orderId,
  outcomeProposed,
  queried,
  refundStuck,
  start,
  type TimedEvent,
  uuid,
} from "./order-fixture.ts";
import type { Step } from "./order-walk.ts";

/** Random values of the schemas that events and commands are made of. Small sets, so that values meet again. */

/** Never the id of an event of the walk: those are counted from 0. */
const ids = fc.integer({ min: 500, max: 510 }).map(uuid);
/**
 * Each record has its own id, also while a failure is made smaller; decide.test.ts tests that a replaced one cannot come
 * back.
 */
const records = fc.noShrink(fc.noBias(fc.integer({ min: 1_000, max: 999_999_999 }))).map(uuid);

const leaves = new Map<unknown, fc.Arbitrary<unknown>>([
  [field.id, ids],
  [field.vaultReference, records],
  [field.providerId, fc.constantFrom("pi_1", "pi_2", "pi_3")],
  [field.staffId, fc.constantFrom("staff_1", "staff_2")],
  [field.orderNumber, fc.constant("0000-0000-00000")],
  [field.reference, fc.constant("REF-2026-7")],
  [field.submissionKey, fc.constant(`order-${orderId}-submission-1`)],
  [field.refundId, fc.integer({ min: 1, max: 4 }).map((n) => `order-${orderId}-refund-${n}`)],
  [field.keyFingerprint, fc.constant("ab".repeat(32))],
  [field.instant, fc.constant(start)],
  [field.date, fc.constantFrom("2026-11-23", "2026-12-14")],
  [field.pence, fc.constantFrom(0, 1, 4500, 9000, 15_000)],
  [field.copies, fc.integer({ min: 1, max: 5 })],
  [field.bounceCode, fc.constantFrom("", "550", "5.1.1")],
  [field.count, fc.integer({ min: 0, max: 3 })],
  [field.ordinal, fc.integer({ min: 1, max: 4 })],
  [priceLists, fc.constant(firstPriceLists)],
]);

export function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  const leaf = leaves.get(schema);
  if (leaf) return leaf;
  if (schema instanceof z.ZodObject) {
    const parts = Object.entries(schema.shape).map(([key, part]) => [key, valuesOf(part)] as const);
    return fc.record(Object.fromEntries(parts));
  }
  if (schema instanceof z.ZodNullable) return fc.option(valuesOf(schema.unwrap()), { nil: null });
  if (schema instanceof z.ZodArray) return fc.array(valuesOf(schema.element), { minLength: 1, maxLength: 3 });
  if (schema instanceof z.ZodDiscriminatedUnion) return fc.oneof(...schema.options.map(valuesOf));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return fc.integer({ min: 1, max: 9000 });
  throw new TypeError("Neither events nor commands have this kind of schema.");
}

/** The way forward is drawn more often than detours, so that walks get far. */
const forward =
  /^(AddVariant|RequestPayment|ConfirmPayment|RequestSubmission|RecordMail|StartSubmission|RecordDispatch|FulfilOrder)$/;

const orderCommand = z.custom<OrderCommand>();

const commands: fc.Arbitrary<OrderCommand> = fc.oneof(
  ...Object.entries(orderCommandSchemas).map(([type, data]) => ({
    weight: forward.test(type) ? 3 : 1,
    arbitrary: valuesOf(data).map((value) => orderCommand.parse({ type, data: data.parse(value) })),
  })),
);

/** Paid, and completing an order that was saved. */
const savedBefore: readonly TimedEvent[] = historyTo.Paid.flatMap((timed): TimedEvent[] =>
  timed[0].type === "OrderCreated"
    ? [timed, [{ type: "SavedDraftsLinked", data: { draftIds: [uuid(900)] } }, timed[1]]]
    : [timed],
);

/** Walks begin in every phase, because few would come to the later ones by chance. */
export const walks = fc.record({
  from: fc.constantFrom(
    ...Object.values(historyTo),
    queried,
    cancellationAsked,
    refundStuck,
    disputed,
    closedByStaff,
    outcomeProposed,
    savedBefore,
  ),
  steps: fc.array(
    fc.record<Step>({
      command: commands,
      isPlausible: fc.integer({ min: 0, max: 9 }).map((n) => n > 1),
      waitSeconds: fc.constantFrom(0, 1, 60, 3_600, 90_000),
    }),
    { maxLength: 40, size: "max" },
  ),
});

/** Any event but the first. */
export const anyEvent: fc.Arbitrary<OrderEvent> = fc.oneof(
  ...Object.entries(orderEventSchemas)
    .filter(([type]) => type !== "OrderCreated")
    .map(([type, { data }]) => valuesOf(data).map((value) => orderEventSchema.parse({ type, data: value }))),
);

/** Sums kept the plain way, beside the order's own. */
export function tally(log: readonly OrderEvent[]): { captured: number; refunded: number } {
  let issued: OrderEventData<"RefundIssued">[] = [];
  let captured = 0;
  let transfers: number[] = [];
  for (const { type, data } of log) {
    if (type === "PaymentConfirmed" || type === "PaymentReceivedUnexpectedly") captured += data.amountPence;
    if (type === "RefundFailed") issued = issued.filter((earlier) => !isSameRefund(earlier, data));
    if (type === "RefundIssued") issued = [...issued, data];
    if (type === "BankTransferRecorded") transfers = [...transfers, data.amountPence];
    if (type === "BankTransferReturned") transfers = transfers.with(data.transfer - 1, 0);
  }
  const byCard = issued.reduce((sum, { amountPence }) => sum + amountPence, 0);
  return { captured, refunded: transfers.reduce((sum, pence) => sum + pence, byCard) };
}

/** The price as it was chosen, and whether the application that stands has a reference, kept the plain way. */
export function chosenIn(log: readonly OrderEvent[]) {
  let chosen: { unitPricePence: number; totalPence: number; groReferenceKnown: boolean } | null = null;
  for (const { type, data } of log) {
    if (type === "VariantAdded" || type === "VariantReplaced") {
      const { unitPricePence, totalPence, groReferenceKnown } = data;
      chosen = { unitPricePence, totalPence, groReferenceKnown };
    }
    if (chosen !== null && (type === "ApplicationAmended" || type === "ApplicationReplaced"))
      chosen.groReferenceKnown = data.fees?.groReferenceKnown ?? chosen.groReferenceKnown;
  }
  return chosen;
}

type RefundIds = Pick<OrderEventData<"RefundIssued">, "refundId" | "providerRefundId">;
const isSameRefund = (one: RefundIds, other: RefundIds): boolean =>
  one.providerRefundId === null || other.providerRefundId === null
    ? one.refundId === other.refundId
    : one.providerRefundId === other.providerRefundId;
