import { expect, it, vi } from "vitest";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeOrder } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { openCheckout, submitCheckout } from "../orders/payments/checkout-requests.ts";
import { requestCheckoutPayment } from "../orders/payments/request-payment.ts";

/** Five orders with one payment, submitted. */
async function submitTogether({ deps }: TestSystem): Promise<string[]> {
  const orderIds: string[] = [];
  for (let n = 0; n < 5; n += 1) orderIds.push(await placeOrder(deps));
  const { checkout } = await openCheckout(deps, orderIds, undefined, customer);
  const { order } = await requestCheckoutPayment(deps, checkout, orderIds.length * 4500, customer);
  deps.payments.change(order.intents.open?.intentId ?? "", { status: "succeeded" });
  await submitCheckout(deps, checkout, customer);
  return orderIds;
}

/** How many orders each mail of a template tells of. */
const toldIn = ({ around: { mailer } }: TestSystem, template: string): number[] =>
  mailer.sent.filter(({ subject }) => subject === template).map(({ text }) => text.split("\n").length);

it("the same event of five orders with one payment is one mail, by whichever of two workers", async () => {
  await using system = await openTestSystem();
  await system.begin();
  await system.begin();
  const orderIds = await submitTogether(system);
  for (const orderId of orderIds)
    await vi.waitFor(
      async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
  expect(toldIn(system, "confirmation")).toEqual([5]);
  expect(toldIn(system, "submitted")).toEqual([]);
  system.skip(61);
  for (const orderId of orderIds)
    await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
  for (const template of ["confirmation", "submitted", "dataDeleted"])
    expect(toldIn(system, template), template).toEqual([5]);
});
