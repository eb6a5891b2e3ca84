import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
  settled,
} from "../../testing/browser/browser.ts";
import { type HeldOrder, openAsHolder, placeOrdersTogether } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** Their confirmation cannot be delivered, so nothing is submitted, and they can be cancelled. */
const unsent = { email: "nobody@bounce.example" };

const numbersOf = (orders: readonly HeldOrder[]): string[] => orders.map(({ orderNumber }) => orderNumber);

/** The tracking page of the first of some orders that were paid for together, in a browser that holds all of them. */
async function trackedTogether(many: number, changes = {}, width = 320) {
  const visitor = await newVisitor(browser, product.url, width);
  const orders = await placeOrdersTogether(product.url, many, changes);
  const [order] = orders;
  if (!order) throw new Error("There is no order to track.");
  const cookies = orders.flatMap((each) => each.cookies);
  await openAsHolder(visitor.page, product.url, { ...order, cookies });
  await visitor.page.getByRole("region", { name: "Ordered together" }).waitFor();
  return { ...visitor, orders, order };
}

const cancelAll = (page: Page) =>
  page.getByRole("button", { name: "Cancel all that may still be cancelled" });
const questionOf = (page: Page, name: string) => page.getByRole("group", { name });
const outcomesIn = (page: Page) => page.getByRole("list", { name: "What became of each order" });

it("cancels all orders of a payment at once, and says of each what goes back", async () => {
  const { page, context, faults, orders } = await trackedTogether(3, unsent);
  await cancelAll(page).press("Enter");
  const question = questionOf(page, "Cancel these 3 orders? We’ll refund £135.00 to the card you paid with.");
  await expect.poll(() => question.evaluate(isFocused)).toBe(true);
  const lines = question.getByRole("listitem");
  expect(await lines.count()).toBe(3);
  for (const number of numbersOf(orders)) {
    await lines.filter({ hasText: number }).filter({ hasText: "£45.00 will be refunded" }).waitFor();
  }
  await expectAccessible(page, "asked whether to cancel all");
  await expectNoSidewaysScroll(page, "asked whether to cancel all");
  await page.getByRole("button", { name: "Keep Orders" }).press("Enter");
  await expect.poll(() => cancelAll(page).evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Yes, Cancel 3 Orders" }).press("Enter");
  await expect.poll(() => outcomesIn(page).evaluate(isFocused)).toBe(true);
  const cancelled = outcomesIn(page)
    .getByRole("listitem")
    .filter({ hasText: "Cancelled. We’ll refund £45.00." });
  expect(await cancelled.count()).toBe(3);
  await page.getByRole("heading", { name: "This order was cancelled" }).waitFor();
  expect(await outcomesIn(page).count()).toBe(1);
  expect(await cancelAll(page).count()).toBe(0);
  await expectAccessible(page, "all are cancelled");
  await expectNoSidewaysScroll(page, "all are cancelled");
  await outcomesIn(page).getByRole("link").nth(1).press("Enter");
  await page.getByRole("heading", { level: 2, name: `Order ${orders[1]?.orderNumber}` }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "We refunded £45.00" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("leaves alone what can no longer be cancelled, and tells when one was not", async () => {
  const { page, context, faults, orders } = await trackedTogether(3, unsent);
  const [first = "", second = "", third = ""] = numbersOf(orders);
  await page.getByRole("button", { name: "Cancel Order", exact: true }).click();
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await page.getByRole("heading", { name: "This order was cancelled" }).waitFor();
  expect(await cancelAll(page).count()).toBe(0);
  await page.getByRole("link", { name: second }).click();
  await cancelAll(page).click();
  const question = questionOf(page, "Cancel these 2 orders? We’ll refund £90.00 to the card you paid with.");
  await question.getByText("Cannot be cancelled here:").waitFor();
  await question.getByRole("listitem").filter({ hasText: first }).getByText("Cancelled").waitFor();
  await page.route(`**/api/orders/${orders[2]?.id}/cancel`, (route) =>
    route.fulfill({
      status: 409,
      json: { code: "forbidden-in-phase", title: "This is not possible at the moment." },
    }),
  );
  await page.getByRole("button", { name: "Yes, Cancel 2 Orders" }).click();
  const outcomes = outcomesIn(page).getByRole("listitem");
  await outcomes.filter({ hasText: second }).getByText("Cancelled. We’ll refund £45.00.").waitFor();
  const kept = outcomes.filter({ hasText: third });
  await kept.getByText("Not cancelled. This is not possible at the moment.").waitFor();
  expect(faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  await context.close();
});

it("does not say that an order was kept when the answer was lost, and lets one try again", async () => {
  const { page, context, orders } = await trackedTogether(2, unsent);
  const [first = "", second = ""] = numbersOf(orders);
  const cancelling = (order: HeldOrder | undefined): string => `**/api/orders/${order?.id}/cancel`;
  await page.route(cancelling(orders[0]), (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Cancel Order", exact: true }).click();
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await page
    .getByRole("alert")
    .getByText("We don’t know whether the order was cancelled. Please try again.")
    .waitFor();
  await page.getByRole("button", { name: "Keep Order" }).click();

  await page.route(cancelling(orders[1]), (route) => route.fulfill({ status: 503, body: "" }));
  await cancelAll(page).click();
  await page.getByRole("button", { name: "Yes, Cancel 2 Orders" }).click();
  const outcomes = outcomesIn(page).getByRole("listitem");
  await outcomes.filter({ hasText: first }).getByText("Cancelled. We’ll refund £45.00.").waitFor();
  const unknown = outcomes.filter({ hasText: second });
  await unknown.getByText("We don’t know whether it was cancelled. Please try again.").waitFor();
  await expectAccessible(page, "cancelled, but perhaps not all");

  await page.route("**/api/orders/lookup", async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), canCancel: false, status: "Cancelled" };
    return route.fulfill({ response, json });
  });
  await page.getByRole("button", { name: "Try Again" }).click();
  await unknown.getByText("It is cancelled.").waitFor();
  await context.close();
});

it("cancels none but those that the browser holds", async () => {
  const { page, context, faults, orders, order } = await trackedTogether(2, unsent);
  const other = orders[1]?.id ?? "";
  await context.clearCookies({ name: new RegExp(other) });
  await cancelAll(page).click();
  const question = questionOf(page, "Cancel this order? We’ll refund £45.00 to the card you paid with.");
  await question.getByText("Cannot be cancelled here:").waitFor();
  await page.getByRole("button", { name: "Yes, Cancel 1 Order" }).click();
  const outcomes = outcomesIn(page).getByRole("listitem");
  await outcomes.filter({ hasText: order.orderNumber }).waitFor();
  expect(await outcomes.count()).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

it("says so when the others cannot be looked up, when nothing was paid, and when it is too late", async () => {
  const { page, context, orders } = await trackedTogether(2, unsent);
  let answer: "none" | Record<string, unknown> = "none";
  await page.route("**/api/orders/lookup", async (route) => {
    if (answer === "none") return route.abort();
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), ...answer } });
  });
  await cancelAll(page).click();
  await page.getByText("We could not look up the other orders. Please try again.").waitFor();
  answer = { status: "Pending" };
  await cancelAll(page).click();
  const question = questionOf(page, "Cancel these 2 orders? You haven’t paid anything for them.");
  await expect.poll(() => question.getByText("Not paid").count()).toBe(2);
  await page.getByRole("button", { name: "Keep Orders" }).click();
  answer = { canCancel: false };
  await cancelAll(page).click();
  const tooLate = outcomesIn(page)
    .getByRole("listitem")
    .filter({ hasText: "It can no longer be cancelled." });
  await expect.poll(() => tooLate.count()).toBe(orders.length);
  await context.close();
});

it("shows the order whose link was followed last, and its number in the field", async () => {
  const { page, context, faults, orders, order } = await trackedTogether(2, unsent);
  const [, second = ""] = numbersOf(orders);
  const late = Promise.withResolvers<void>();
  await page.route("**/api/orders/lookup", async (route) => {
    if (route.request().postData()?.includes(order.orderNumber)) await late.promise;
    await route.continue();
  });
  const asked = page.waitForRequest("**/api/orders/lookup");
  await page.getByRole("button", { name: "Check again" }).click();
  await asked;
  await page.getByRole("link", { name: second }).click();
  const heading = page.getByRole("heading", { level: 2, name: `Order ${second}` });
  await heading.waitFor();
  expect(await page.getByLabel("Order Number").inputValue()).toBe(second);
  const answered = page.waitForResponse("**/api/orders/lookup");
  late.resolve();
  await (await answered).finished();
  await settled(page);
  expect(await heading.count()).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

it("says on the confirmation that the orders could not be loaded, and loads them again", async () => {
  const { page, context, order } = await trackedTogether(2, unsent);
  let lookups = 0;
  await page.route("**/api/orders/lookup", (route) => {
    lookups += 1;
    return lookups === 2 ? route.abort() : route.continue();
  });
  await page.goto(`/order-confirmation?orderNumber=${order.orderNumber}`);
  await page.getByRole("alert").getByText("Failed to load order information").waitFor();
  await expectAccessible(page, "a confirmation whose orders could not be loaded");
  await expectNoSidewaysScroll(page, "a confirmation whose orders could not be loaded");
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByText("£90.00", { exact: true }).waitFor();
  expect(await page.getByText("Failed to load order information").count()).toBe(0);
  await context.close();
});

it("says nothing of one order on the page of another", async () => {
  const { page, context, faults, orders, order } = await trackedTogether(2, unsent);
  const [, second = ""] = numbersOf(orders);
  const before = await page.evaluate(
    async (orderNumber) =>
      (
        await fetch("/api/orders/lookup", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ orderNumber }),
        })
      ).json(),
    order.orderNumber,
  );
  // The read model is behind: the page still has the order as it was.
  await page.route("**/api/orders/lookup", (route) =>
    route.request().postData()?.includes(order.orderNumber)
      ? route.fulfill({ json: before })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Cancel Order", exact: true }).click();
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await page.getByText("We have received your cancellation.").waitFor();
  await page.getByRole("link", { name: second }).click();
  await page.getByRole("heading", { level: 2, name: `Order ${second}` }).waitFor();
  await page.getByRole("button", { name: "Cancel Order", exact: true }).waitFor();
  expect(await page.getByText("We have received your cancellation.").count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("starts an order like those of several that are chosen", async () => {
  const { page, context, faults, orders } = await trackedTogether(3);
  const [first = "", , third = ""] = numbersOf(orders);
  await page.getByRole("button", { name: "Order Another Like This" }).press("Enter");
  const question = questionOf(page, "Which of these would you like to order again?");
  await expect.poll(() => question.evaluate(isFocused)).toBe(true);
  const own = question.getByRole("checkbox", { name: `${first}, this order` });
  expect(await own.isChecked()).toBe(true);
  await expectAccessible(page, "asked which to order again");
  await expectNoSidewaysScroll(page, "asked which to order again");
  await own.press("Space");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.getByText("Tick at least one").waitFor();
  await expect.poll(() => question.evaluate(isFocused)).toBe(true);
  await expectAccessible(page, "asked which to order again, with none ticked");
  await own.press("Space");
  await question.getByRole("checkbox", { name: third }).press("Space");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  await page.getByText("2 certificates", { exact: true }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
