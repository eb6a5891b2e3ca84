import * as own from "../../../contract/orders/own-records.ts";
import { ownApplication } from "../../../contract/orders/own-records.ts";
import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { duePayment } from "../../../domain/order/payment/money.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import type { Order, Variant } from "../../../domain/order/state.ts";
import { assertTakesApplication } from "../../../domain/order/submission/decide-submission.ts";
import { paymentReceipt } from "../../documents/payment-receipt.ts";
import { printPdf } from "../../documents/print-pdf.ts";
import { notFound } from "../../gateway/errors/problem.ts";
import { behalfOf, keyFor } from "../../gateway/guards/identify.ts";
import { holderRoute, type OrderCall } from "../../gateway/route.ts";
import { openIfThere } from "../../vault/vault.ts";
import { amendApplication, applicationIn, applicationSchema } from "../amend-application.ts";
import { clientCommandId } from "../command-ids.ts";
import { correctContact } from "../correct-contact.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { presentApplication, presentContact, presentStatus } from "./present-orders.ts";

/** Amends the application, or answers the GRO's question. */
export const changeApplication = holderRoute(own.changeApplication, ({ deps }) => {
  const schema = applicationSchema(deps.now);
  return async (call) => {
    const known = withVariant((await deps.orders.load(call.orderId)).order);
    const amendment = applicationIn(call.body, known, schema());
    const key = keyFor(`application ${call.orderId}`, call.idempotencyKey);
    const { order, position } = await amendApplication(deps, call.orderId, amendment, key, behalfOf(call));
    return { body: presentStatus(order), position };
  };
});

export const changeContact = holderRoute(own.changeContact, ({ deps, access }) => async (call) => {
  const { caller, orderId, request } = call;
  const key = keyFor(`contact ${orderId}`, call.idempotencyKey);
  const isHolder = await caller.holds(orderId);
  const { order: before } = await deps.orders.load(orderId);
  const { order, position } = await correctContact(deps, orderId, call.body, key, behalfOf(call));
  // Another address ends what earlier links opened, but not for the customer who corrects it.
  const own = call.body.email === undefined ? 0 : 1;
  const stays = isHolder && order.emailChanges <= before.emailChanges + own;
  const cookies = stays ? access.grant(request, orderId, order.emailChanges) : [];
  return { body: presentStatus(order), position, cookies };
});

/** Closes the order: the retention of its contact data begins. */
export const reportArrival = holderRoute(own.reportArrival, ({ deps }) => async (call) => {
  const key = keyFor(`arrival ${call.orderId}`, call.idempotencyKey);
  const { order, position } = await deps.orders.execute({
    orderId: call.orderId,
    commandId: clientCommandId(deps.deriveId, deps.newId, key),
    by: behalfOf(call),
    command: { type: "ReportArrival", data: {} },
  });
  return { body: presentStatus(order), position };
});

/** Readable only while it can be amended, and only by the holder. */
export const showApplication = holderRoute(own.showApplication, ({ deps }) => async (call) => {
  await assertHolds(call);
  const { order } = await deps.orders.load(call.orderId);
  assertTakesApplication(order);
  const own = await openIfThere(deps.vault, order.vault.application, ownApplication);
  // Destroyed while the GRO has a question, and possibly before the log shows it.
  if (own === undefined) throw forbidden(order, "application-needed");
  return { body: presentApplication(own) };
});

export const showContact = holderRoute(own.showContact, ({ deps }) => async (call) => {
  await assertHolds(call);
  const { order } = await deps.orders.load(call.orderId);
  const contact = await openIfThere(deps.vault, order.vault.contact, contactRecord);
  if (contact === undefined) throw notFound();
  return { body: presentContact(contact) };
});

/** Made in memory, and never stored. */
export const printReceipt = holderRoute(own.printReceipt, ({ deps, settings }) => async (call) => {
  await assertHolds(call);
  const { order } = await deps.orders.load(call.orderId);
  const contact = await openIfThere(deps.vault, order.vault.contact, contactRecord);
  const together = await paidTogether(deps, order);
  const held = await Promise.all(together.map(({ orderId }) => call.caller.holds(orderId)));
  const orders = together.filter((_, at) => held[at]);
  const asked = { order, contact, orders, hidden: together.length - orders.length };
  const made = { at: deps.now(), company: settings.current().company };
  const bytes = await printPdf(paymentReceipt(asked, made));
  return { file: { name: `receipt-${order.orderNumber}.pdf`, type: "application/pdf", bytes } };
});

/**
 * The orders that an order's payment paid for, itself among them, in the customer's sequence. One that was no longer
 * due when it was paid for gives its share back, and is not among them.
 */
async function paidTogether(
  { orders, checkouts }: Pick<OrderDependencies, "orders" | "checkouts">,
  order: Order,
): Promise<readonly Order[]> {
  const intentId = duePayment(order)?.intentId;
  const checkout = order.checkoutId === undefined ? undefined : await checkouts.find(order.checkoutId);
  const asked = checkout?.intents.find((intent) => intent.intentId === intentId);
  if (asked === undefined) return [order];
  const loaded = await Promise.all(asked.shares.map(({ orderId }) => orders.load(orderId)));
  return loaded.map((each) => each.order).filter((each) => duePayment(each)?.intentId === intentId);
}

export const beginAnother = holderRoute(own.beginAnother, ({ deps }) => async (call) => {
  await assertHolds(call);
  const { order } = await deps.orders.load(call.orderId);
  const { certificateType, copies, serviceLevel } = withVariant(order).variant;
  const contact = await openIfThere(deps.vault, order.vault.contact, contactRecord);
  return {
    body: {
      certificateType,
      copies,
      isPriority: serviceLevel === "priority",
      contact: contact ? presentContact(contact) : null,
    },
  };
});

/** For customers only: staff reveal data with a reason, which is recorded. @throws Problem 404 */
async function assertHolds({ caller, orderId }: OrderCall): Promise<void> {
  if (!(await caller.holds(orderId))) throw notFound();
}

function withVariant(order: Order): Order & { readonly variant: Variant } {
  const { variant } = order;
  if (variant === null) throw forbidden(order, "variant-missing");
  return { ...order, variant };
}
