import { divide, type Share, totalOf } from "../../../domain/checkout/shares.ts";
import { refundId as refundIdSchema } from "../../../domain/fields.ts";
import type { OrderEventData } from "../../../domain/order/events.ts";
import { keptPence, refundablePence } from "../../../domain/order/payment/money.ts";
import { refundIdPrefix } from "../../../domain/order/payment/provider-keys.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import type { Order } from "../../../domain/order/state.ts";
import { disputeReasonOf, refundFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import type { ProviderDispute, ProviderRefund } from "../../providers/stripe/payments.ts";
import { behalfOfStaff, commandIds, goingOn, type StaffAct, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { allOf, confirmIntent, type Paid, paidWith } from "./provider-reports.ts";

/**
 * Records the outcome of a refund, as the provider reports it. Policy and webhook derive the same command.
 * @returns undefined while the provider does not know it yet
 */
export async function recordRefund(
  deps: OrderDependencies,
  orderId: string,
  refund: ProviderRefund,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  if (refund.status === "pending") return undefined;
  const commandId = commandIds.refundSettled(refund.id, refund.status);
  // A refund made directly at the provider carries no id of ours, or free text.
  const refundId = refundIdSchema.safeParse(refund.refundId).data ?? null;
  const { id: providerRefundId, intentId, amountPence } = refund;
  if (refund.status === "succeeded") {
    const command = {
      type: "RecordRefund" as const,
      data: { refundId, providerRefundId, intentId, amountPence },
    };
    return deps.orders.execute({ orderId, commandId, by, fingerprint: uncompared, command });
  }
  const code = refundFailureCodeOf(refund.failureCode);
  const data = { refundId, providerRefundId, intentId, amountPence, code };
  const command = { type: "RecordRefundFailure" as const, data };
  return deps.orders.execute({ orderId, commandId, by, fingerprint: uncompared, command });
}

/**
 * Records a refund that the provider announced in the order that asked for it. One made by hand at the provider names
 * none: where several were paid for together, it waits until staff say whose it is, unless there is nothing to choose.
 */
export async function recordAnnouncedRefund(
  deps: OrderDependencies,
  paid: Paid,
  refund: ProviderRefund,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const orderId = askedBy(paid, refund);
  if (orderId !== undefined) return recordRefund(deps, orderId, refund, by);
  if (refund.status === "pending") return undefined;
  const mayChoose = refund.status === "succeeded" && (await isChoice(deps, paid, refund, by));
  if (!mayChoose) return divideByHand(deps, paid, refund, by);
  const { id: providerRefundId, intentId, amountPence } = refund;
  const waiting = await allOf(
    paid.shares.map((share) =>
      recordUnassigned(deps, share.orderId, { providerRefundId, intentId, amountPence }, by),
    ),
  );
  // Divided by another process before all of them waited for it.
  const parts = await earlierParts(deps, paid, refund.id);
  return parts.length > 0 ? recordParts(deps, paid, refund, parts, by) : waiting[0];
}

/** More than one order could have a part in it, and it does not take all that they have. */
async function isChoice(
  deps: OrderDependencies,
  paid: Paid,
  { id, amountPence }: Return,
  by: OnBehalf,
): Promise<boolean> {
  if (!isShared(paid) || (await earlierParts(deps, paid, id)).length > 0) return false;
  const { free } = await leftOf(deps, paid, by);
  return free.filter((share) => share.amountPence > 0).length > 1 && amountPence < totalOf(free);
}

type RefundByHand = OrderEventData<"UnassignedRefundFound">;

/** Changes nothing in an order that knows of it, but is refused if that has changed since `by` saw it. */
const recordUnassigned = (
  deps: OrderDependencies,
  orderId: string,
  data: RefundByHand,
  by: OnBehalf,
): Promise<OrderResult> =>
  deps.orders.execute({
    ...{ orderId, commandId: deps.newId(), by },
    command: { type: "RecordUnassignedRefund", data },
  });

/** Divides a refund that waits for staff, unless they have assigned it, and records it in each order of its payment. */
export async function divideRefund(
  deps: OrderDependencies,
  waiting: RefundByHand,
  by: OnBehalf,
): Promise<void> {
  const refund = refundOf(waiting);
  await divideByHand(deps, await paidWith(deps, refund.intentId), refund, by);
}

const divideByHand = async (
  deps: OrderDependencies,
  paid: Paid,
  refund: ProviderRefund,
  by: OnBehalf,
): Promise<OrderResult | undefined> =>
  recordParts(deps, paid, refund, await partsOf(deps, paid, refund, by), by);

/** As the provider announced it. */
const refundOf = ({ providerRefundId: id, intentId, amountPence }: RefundByHand): ProviderRefund => ({
  ...{ id, intentId, amountPence },
  ...{ refundId: undefined, status: "succeeded", failureCode: undefined },
});

/**
 * Assigns a refund by hand to one or several orders of its payment. Of two people who assign it at once, the second is
 * refused.
 * @param orderId the order that they have open
 * @throws Refused `refund-assigned`, `shares-differ`, `above-captured`
 */
export async function assignRefund(
  deps: OrderDependencies,
  orderId: string,
  { providerRefundId, shares }: { readonly providerRefundId: string; readonly shares: readonly Share[] },
  act: StaffAct,
): Promise<OrderResult> {
  const { order } = await deps.orders.load(orderId);
  const byHand = order.refundsByHand?.find((refund) => refund.providerRefundId === providerRefundId);
  if (!byHand) throw forbidden(order, "refund-assigned");
  const { intentId, amountPence } = byHand;
  const paid = await paidWith(deps, intentId);
  const seen = behalfOfStaff(act);
  const by = goingOn(seen);
  if ((await earlierParts(deps, paid, providerRefundId)).length === 0) {
    await recordUnassigned(deps, orderId, { providerRefundId, intentId, amountPence }, seen);
    if (totalOf(shares) !== amountPence) throw forbidden(order, "shares-differ");
    const { free } = await leftOf(deps, paid, by);
    const most = new Map(free.map((share) => [share.orderId, share.amountPence]));
    if (shares.some((share) => share.amountPence > (most.get(share.orderId) ?? 0)))
      throw forbidden(order, "above-captured");
  }
  const parts = await recordDivision(deps, paid, providerRefundId, shares, by);
  // A colleague's too, whose process may have died before.
  await recordParts(deps, paid, refundOf(byHand), parts, by);
  if (!areSame(parts, shares)) throw forbidden(order, "refund-assigned");
  return deps.orders.load(orderId);
}

const areSame = (some: readonly Share[], others: readonly Share[]): boolean =>
  some.length === others.length &&
  some.every((share) =>
    others.some(({ orderId, amountPence }) => orderId === share.orderId && amountPence === share.amountPence),
  );

/** Records a refund by hand in the orders that have a part in it; the others wait for it no longer. */
async function recordParts(
  deps: OrderDependencies,
  { shares }: Paid,
  refund: ProviderRefund,
  parts: readonly Share[],
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const command = { type: "RecordRefundOfOthers" as const, data: { providerRefundId: refund.id } };
  const others = shares.filter(({ orderId }) => parts.every((part) => part.orderId !== orderId));
  const [recorded] = await allOf([
    ...parts.map(({ orderId, amountPence }) => recordRefund(deps, orderId, { ...refund, amountPence }, by)),
    ...others.map(({ orderId }) => deps.orders.execute({ orderId, commandId: deps.newId(), by, command })),
  ]);
  return recorded;
}

/** The order that asked for a refund; undefined for one made by hand. */
const askedBy = ({ shares }: Paid, { refundId }: ProviderRefund): string | undefined =>
  shares.find(({ orderId }) => refundId?.startsWith(refundIdPrefix(orderId)))?.orderId;

type Return = Pick<ProviderRefund | ProviderDispute, "id" | "amountPence">;

const isShared = ({ intent, shares }: Paid): boolean => intent.checkoutId !== undefined && shares.length > 1;

/**
 * Divides among the orders of a payment what a refund by hand or a dispute takes back of it: each gives what it still
 * has, in their sequence, and leaves what is on its way back already, unless the rest does not suffice. Their checkout decides it, so that concurrent reports are divided alike.
 * @throws StreamUnreadable where one of them cannot be read: what it still has is not known
 */
async function partsOf(
  deps: OrderDependencies,
  paid: Paid,
  { id, amountPence }: Return,
  by: OnBehalf,
): Promise<readonly Share[]> {
  if (!isShared(paid)) return paid.shares.map(({ orderId }) => ({ orderId, amountPence }));
  const earlier = await earlierParts(deps, paid, id);
  if (totalOf(earlier) === amountPence) return earlier;
  const { free, kept } = await leftOf(deps, paid, by);
  const isUntouched = ({ orderId }: Share) => earlier.every((part) => part.orderId !== orderId);
  const restPence = Math.max(0, amountPence - totalOf(earlier));
  const isEnough = restPence <= totalOf(free.filter(isUntouched));
  const rest = divide(restPence, (isEnough ? free : kept).filter(isUntouched));
  return recordDivision(deps, paid, id, [...earlier, ...rest], by);
}

/** How a refund by hand or a dispute was divided; empty if it was not. */
async function earlierParts(
  { checkouts }: Pick<OrderDependencies, "checkouts">,
  { intent: { checkoutId } }: Paid,
  returnId: string,
): Promise<readonly Share[]> {
  const checkout = checkoutId === undefined ? undefined : await checkouts.find(checkoutId);
  return checkout?.returns.get(returnId) ?? [];
}

/** Records in the checkout of a payment how a sum is divided. The first division stands, and is returned. */
async function recordDivision(
  deps: OrderDependencies,
  { intent: { checkoutId = "" } }: Paid,
  returnId: string,
  shares: readonly Share[],
  by: OnBehalf,
): Promise<readonly Share[]> {
  const { checkout } = await deps.checkouts.execute({
    ...{ checkoutId, commandId: deps.newId(), by },
    command: { type: "DivideReturn", data: { returnId, shares: [...shares] } },
  });
  return checkout.returns.get(returnId) ?? shares;
}

/**
 * What each order still has of a payment, once what the provider knows of it is recorded, with and without what is on its
 * way back.
 */
async function leftOf(
  deps: OrderDependencies,
  paid: Paid,
  by: OnBehalf,
): Promise<{ readonly kept: readonly Share[]; readonly free: readonly Share[] }> {
  const { intent, shares } = paid;
  const [first] = shares;
  if (first && intent.status === "succeeded") await confirmIntent(deps, first.orderId, intent, by);
  for (const refund of await deps.payments.refundsOf(intent.id)) {
    const asking = askedBy(paid, refund);
    if (asking !== undefined) await recordRefund(deps, asking, refund, by);
  }
  const orders = await Promise.all(
    shares.map(async ({ orderId }) => (await deps.orders.load(orderId)).order),
  );
  const sharesOf = (amount: (order: Order, intentId: string) => number) =>
    orders.map((order) => ({ orderId: order.orderId, amountPence: amount(order, intent.id) }));
  return { kept: sharesOf(keptPence), free: sharesOf(refundablePence) };
}

/**
 * Records a dispute as the provider reports it, in every order that its payment pays for, each with its share. The order
 * recognises repeats, in any sequence; the command has no fixed id, because a later report may carry another amount.
 * @param known the payment, if the caller has it
 * @returns the result for the order asked about
 */
export async function recordDispute(
  deps: OrderDependencies,
  orderId: string,
  intentId: string,
  dispute: ProviderDispute,
  by: OnBehalf,
  known?: Paid,
): Promise<OrderResult> {
  const paid = known ?? (await paidWith(deps, intentId));
  const { id: disputeId, amountPence, reason, outcome } = dispute;
  const isOwn = paid.shares.some((share) => share.orderId === orderId);
  const parts = isOwn ? await partsOfDispute(deps, paid, dispute, by) : [{ orderId, amountPence }];
  const results = await allOf(
    parts.map((part) =>
      deps.orders.execute({
        orderId: part.orderId,
        commandId: deps.newId(),
        by,
        command: {
          type: "RecordDispute",
          data: {
            ...{ disputeId, intentId, amountPence: part.amountPence },
            ...{ reason: disputeReasonOf(reason), outcome: outcome ?? null },
          },
        },
      }),
    ),
  );
  return results.find(({ order }) => order.orderId === orderId) ?? deps.orders.load(orderId);
}

/** It is about what is left of the charge: refunds that wait for staff are divided first. */
async function partsOfDispute(
  deps: OrderDependencies,
  paid: Paid,
  dispute: ProviderDispute,
  by: OnBehalf,
): Promise<readonly Share[]> {
  if (isShared(paid) && (await earlierParts(deps, paid, dispute.id)).length === 0) {
    for (const refund of await deps.payments.refundsOf(paid.intent.id)) {
      if (refund.status === "succeeded" && askedBy(paid, refund) === undefined)
        await divideByHand(deps, paid, refund, by);
    }
  }
  return partsOf(deps, paid, dispute, by);
}
