import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const down = (route: Route) => route.fulfill({ status: 503, json: { title: "Busy" } });
const ordering = (url: URL) => url.pathname === "/api/orders";
const intents = /\/api\/create-payment-intent$/;

/** A visitor who has signed and is about to see step 5; `before` says what will go wrong there. */
async function onReview(before: (page: Page) => Promise<unknown>): Promise<Page> {
  const { page } = await newVisitor(browser, product.url);
  await before(page);
  await wizard.openReview(page, "panels@example.org");
  return page;
}

/** The toast itself; what it reads out stands in a status beside it. */
async function expectToast(page: Page, title: string, text: string): Promise<void> {
  const toast = page.getByRole("region", { name: /Notifications/ }).getByRole("listitem");
  await toast.getByText(title, { exact: true }).waitFor();
  await toast.getByText(text, { exact: true }).waitFor();
  expect(await toast.count()).toBe(1);
}

it("says that the order is being prepared, and that it could not be made, and makes it on the next try", async () => {
  const answers: (() => void)[] = [];
  const page = await onReview((page) =>
    page.route(ordering, async (route) => {
      await new Promise<void>((answer) => answers.push(answer));
      await down(route);
    }),
  );
  await wizard.sign(page);
  await page.getByRole("heading", { name: "Preparing Your Order" }).waitFor();
  await expectAccessible(page, "step 5, preparing");
  await expect.poll(() => answers).toHaveLength(1);
  answers[0]?.();
  await page.getByRole("heading", { name: "Order Setup Error" }).waitFor();
  await expectToast(page, "Error", "There was a problem preparing your payment. Please try again.");
  await expectAccessible(page, "step 5, setup error");
  await page.unroute(ordering);
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Payment");
  await page.context().close();
});

it("says that the order was made when only the payment could not be set up, and completes it", async () => {
  const page = await onReview((page) => page.route(intents, down));
  await wizard.sign(page);
  await page.getByRole("heading", { name: "Order Created" }).waitFor();
  await page.getByText("You haven’t been charged.").waitFor();
  await expectToast(page, "Error", "There was a problem preparing your payment. Please try again.");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("button", { name: "Complete Order" }).click();
  await expectToast(page, "Error", "Failed to complete order. Please try again.");
  await expectAccessible(page, "step 5, order created");
  await page.unroute(intents);
  await page.getByRole("button", { name: "Complete Order" }).click();
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await page.context().close();
});

it("warns after 3 seconds without a card form, and keeps Pay disabled", async () => {
  const page = await onReview((page) => page.route(/stripe\.js|js\.stripe\.com/, () => undefined));
  await wizard.sign(page);
  await page.getByText("Payment system is temporarily unavailable. Please try again later.").waitFor();
  expect(await page.getByRole("button", { name: /^Pay £/ }).isDisabled()).toBe(true);
  await expectAccessible(page, "step 5, no card form");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
});

it("has its full height before it can be paid, so that the Pay button stays where it is pressed", async () => {
  const page = await onReview(async () => undefined);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    window.addEventListener("message", ({ data }) => {
      if (data?.sandboxCard === 1) said.push(data.type === "height" ? `height ${data.height}` : data.type);
    });
  });
  await wizard.sign(page);
  const pay = page.getByRole("button", { name: /^Pay £/ });
  await expect.poll(() => pay.isEnabled()).toBe(true);
  const place = await pay.boundingBox();
  await page.frameLocator("iframe").first().getByLabel("Security code").fill("123");
  expect(await pay.boundingBox()).toEqual(place);
  const said = await page.evaluate((): string[] => Reflect.get(window, "said"));
  expect(said.slice(0, 2)).toEqual([expect.stringMatching(/^height \d+$/), "ready"]);
  await page.context().close();
});

it("says that the payment arrived though the order could not be finished, and leads on all the same", async () => {
  const page = await onReview((page) => page.route(/\/submit$/, down));
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);
  await page.getByRole("heading", { name: "Payment Successful" }).waitFor();
  await expectToast(
    page,
    "Order Processing Error",
    "Payment successful but there was an issue finalizing your order. Please contact support.",
  );
  await page.route(/\/api\/orders\/[0-9a-f-]{36}$/, (route) =>
    route.fulfill({ json: { orderNumber: "unknown" } }),
  );
  await page.getByRole("button", { name: "View Order Details" }).click();
  await expectToast(page, "Error", "Could not retrieve order details. Please contact support.");
  expect(new URL(page.url()).pathname).toBe("/order");
  await page.unroute(/\/api\/orders\/[0-9a-f-]{36}$/);
  await page.route(/\/api\/orders\/[0-9a-f-]{36}$/, down);
  await page.getByRole("button", { name: "View Order Details" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  // The draft goes with the page that showed it.
  await page.getByRole("heading", { name: "Payment Successful" }).waitFor({ state: "detached" });
  await page.goto("/order");
  await page.getByRole("heading", { name: "Select Document Type" }).waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("order-draft") ?? "")).not.toContain("panels@");
  await page.context().close();
});

it("says that the order was placed, shows it 2 seconds later, and copies its number", async () => {
  const page = await onReview(async () => undefined);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);
  await expectToast(page, "Payment Successful", "Your order has been placed successfully!");
  const orderNumber = await wizard.confirmedOrderNumber(page);
  await page.getByRole("button", { name: /copy/i }).click();
  await expectToast(page, "Copied!", "Order number copied to clipboard");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(orderNumber);
  await page.context().close();
});

/** Lets the provider's script end each charge in a way of its own. */
const chargesEnd = (outcome: "rejects" | "undecided") => (page: Page) =>
  page.addInitScript((how) => {
    let real: ((...parts: unknown[]) => object) | undefined;
    const confirmPayment = (): Promise<unknown> =>
      how === "rejects"
        ? Promise.reject(new Error("broken"))
        : Promise.resolve({ paymentIntent: { status: "processing" } });
    Object.defineProperty(window, "Stripe", {
      configurable: true,
      get: () => real && ((...parts: unknown[]) => Object.assign(real?.(...parts) ?? {}, { confirmPayment })),
      set: (loaded) => {
        real = loaded;
      },
    });
  }, outcome);

it.each([
  ["rejects", "Payment Error", "An unexpected error occurred during payment processing"],
  ["undecided", "Payment Failed", "An unexpected error occurred"],
] as const)("stays on step 5 when a charge %s, and says %s", async (outcome, title, text) => {
  const page = await onReview(chargesEnd(outcome));
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);
  await expectToast(page, title, text);
  expect(await page.getByRole("button", { name: "Pay £45.00" }).isEnabled()).toBe(true);
  await page.context().close();
});

it("shows a toast for 5 seconds, reaches it by F8, and lets it be swiped away to the right", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/lookup");
  const toast = page.getByRole("region", { name: /Notifications/ }).getByRole("listitem");
  const search = async (): Promise<void> => {
    await page.getByLabel("Order Number").fill("nothing");
    await page.getByRole("button", { name: "Find Order" }).click();
    await toast.waitFor();
  };
  const askedAt = Date.now();
  await search();
  await expectToast(
    page,
    "We can't find that order",
    "If you can't find your order number, please contact support.",
  );
  await page.getByLabel("Order Number").focus();
  await toast.waitFor({ state: "detached" });
  expect(Date.now() - askedAt).toBeGreaterThan(3_500);
  await search();
  await page.keyboard.press("F8");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("[role=region], ol") !== null))
    .toBe(true);
  const box = await toast.boundingBox();
  if (!box) throw new Error("The toast has no place on the page.");
  const [x, y] = [box.x + 20, box.y + 12];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 4 });
  await page.mouse.move(x + 90, y, { steps: 4 });
  await page.mouse.up();
  // By itself it does not go while the list of notifications has the focus.
  await toast.waitFor({ state: "detached" });
  await context.close();
});

it("asks to be signed again when the choice changed after an order was made, says why, and replaces that order", async () => {
  const page = await onReview(async () => undefined);
  await wizard.sign(page);
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  expect(await page.getByLabel("Signature").inputValue()).not.toBe("");
  await page.getByRole("button", { name: "Change Your choice" }).click();
  await page.getByLabel("Number of Copies").selectOption({ label: "2 copies" });
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  await page.getByText(/has changed since you signed: the total is now £90\.00/).waitFor();
  expect(await page.getByLabel("Signature").inputValue()).toBe("");
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
  await expectAccessible(page, "step 4, to be signed again");
  const replaced = page.waitForResponse(/\/api\/orders\/[^/]+\/cancel$/);
  await wizard.sign(page);
  expect((await replaced).request().postDataJSON()).toEqual({ reason: "replaced" });
  await page.getByRole("button", { name: "Pay £90.00" }).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await page.getByText(/has changed since you signed/).count()).toBe(0);
  await page.context().close();
});

it("says that the card is being charged where that keeps the changed order from being made", async () => {
  const page = await onReview(async () => undefined);
  await wizard.sign(page);
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("button", { name: "Change Your choice" }).click();
  await page.getByLabel("Number of Copies").selectOption({ label: "2 copies" });
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  const cancelling = /\/api\/orders\/[^/]+\/cancel$/;
  const json = { code: "payment-processing", title: "The payment is still being processed." };
  await page.route(cancelling, (route) => route.fulfill({ status: 409, json }));
  await wizard.sign(page);
  await page.getByRole("heading", { name: "Payment in Progress" }).waitFor();
  expect(await page.getByText("You haven’t been charged").count()).toBe(0);
  await expectAccessible(page, "step 5, being charged");
  await page.unroute(cancelling);
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByRole("button", { name: "Pay £90.00" }).waitFor();
  await page.context().close();
});

it("names in its notification the box that is unticked", async () => {
  const page = await onReview(async () => undefined);
  const pay = page.getByRole("button", { name: "Continue to Payment" });
  await page.getByLabel("Signature").fill("Siân Rhŷs-Żak");
  await page.getByLabel(/I accept the/).check();
  // Said to be disabled until both boxes are ticked, it still answers a press.
  await pay.click({ force: true });
  await expectToast(
    page,
    "Your request to start",
    "Please ask us to start now, or we cannot submit your application",
  );
  await page.getByLabel(/I accept the/).uncheck();
  await page.getByLabel(/I ask you to start now/).check();
  await pay.click({ force: true });
  await expectToast(page, "Terms & Conditions", "Please accept the terms and conditions to continue");
  await page.context().close();
});

it("makes a new order where the price moved on between an order and its choice", async () => {
  const page = await onReview((page) =>
    page.route(
      /\/api\/orders\/[^/]+\/variants$/,
      (route) => {
        const detail = "The price has changed since this order was placed: please place a new order.";
        return route.fulfill({
          status: 409,
          json: { title: detail, code: "wrong-amount", needsNewOrder: true },
        });
      },
      { times: 1 },
    ),
  );
  await wizard.sign(page);
  await page.getByRole("heading", { name: "Order Created" }).waitFor();
  await page
    .getByText("The price has changed since this order was placed: please place a new order.")
    .waitFor();
  const [replaced, made] = [
    page.waitForResponse(/\/api\/orders\/[^/]+\/cancel$/),
    page.waitForResponse((answer) => ordering(new URL(answer.url()))),
  ];
  await page.getByRole("button", { name: "Complete Order" }).click();
  expect((await replaced).status()).toBe(200);
  expect((await made).status()).toBe(201);
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await page.context().close();
});
