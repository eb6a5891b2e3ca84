import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { newVisitor, openBrowser, takenOver } from "../../testing/browser/browser.ts";
import { lookUp, receivedByGro } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { soon } from "../../testing/setup/patience.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

it("finishes an order whose process was killed between payment and submission", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  // The browser goes away right after paying: it never asks for the submission.
  await page.route(/\/api\/orders\/[^/]+\/(status|submit)$/, (route) => route.abort());
  const numbers: string[] = [];
  page.on("response", async (response) => {
    if (response.request().method() === "POST" && new URL(response.url()).pathname === "/api/orders") {
      numbers.push(String((await response.json()).orderNumber));
    }
  });
  await wizard.openPayment(page, "killed@example.org");
  await wizard.pay(page, wizard.cards.succeeds);
  await page.getByRole("heading", { name: "Payment Successful" }).waitFor();
  await product.kill();
  await context.close();

  await product.start();
  const [orderNumber = ""] = numbers;
  await vi.waitFor(async () => {
    const order = await lookUp(product.url, orderNumber);
    expect(order.status).toBe("Processing");
    expect(order.receipt).not.toBeNull();
  }, soon);
  expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1);
});

it("places a paid order though the connection drops while it is submitted", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.openPayment(page, "dropped@example.org");
  await page.route(/\/api\/orders\/[^/]+\/submit$/, (route) => route.abort(), { times: 1 });
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  await context.close();
});

it("stays with an order that is paid, whatever is pressed until it is confirmed", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.reachPayment(page, "Birth", "back@example.org");
  // The confirmation is held up for as long as the submission fails.
  const submission = /\/api\/orders\/[^/]+\/submit$/;
  await page.route(submission, (route) => route.abort());
  await wizard.pay(page, wizard.cards.succeeds);
  const paid = page.getByRole("heading", { name: "Payment Successful" });
  await paid.waitFor();
  const steps = page.getByRole("navigation", { name: "Steps" });
  await expect.poll(() => steps.getByRole("button").count()).toBe(0);
  await page.goBack();
  await paid.waitFor();
  expect(await page.getByRole("button", { name: /^Pay £/ }).count()).toBe(0);
  await page.unroute(submission);
  await page.reload();
  await wizard.confirmedOrderNumber(page);
  await page.goto("/order");
  await page.getByRole("heading", { name: "Select Document Type" }).waitFor();
  await context.close();
});

it("shows nothing else on the way to the confirmation, and waits until the payment is in the read model", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  let behind = 2;
  await page.route(/\/api\/orders\/lookup\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    if (behind === 0) return route.fulfill({ response });
    behind -= 1;
    const headers = { ...response.headers(), stale: "true" };
    await route.fulfill({ response, headers, json: { ...(await response.json()), status: "Pending" } });
  });
  await wizard.openPayment(page, "on-the-way@example.org");
  await page.evaluate(() => {
    const seen = new Set<string>();
    const note = () => seen.add(document.querySelector("h1")?.textContent ?? "");
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(window, { headingsSeen: seen });
  });
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  const seen = await page.evaluate(() => [...Reflect.get(window, "headingsSeen")].filter(Boolean));
  expect(seen).toEqual(["Payment", "Loading your order", "Order Confirmed"]);
  expect(behind).toBe(0);
  await page.goto("/order");
  await page.getByRole("heading", { level: 1, name: "Select Document Type" }).waitFor();
  await context.close();
});

it("keeps what was typed over a reload and a look at another page", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await page.getByLabel("First name").fill("Siân");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Your Details" }).waitFor();
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Siân");
  await page.getByRole("link", { name: "Order Lookup" }).first().click();
  await page.getByRole("heading", { name: "Look Up Your Order" }).waitFor();
  await page.goBack();
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Siân");
  expect(faults).toEqual([]);
  await context.close();
});

it("keeps the page when the connection is lost, says so, and goes on with one order when it is back", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "offline@example.org");
  await wizard.fillBirth(page);
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  await context.setOffline(true);
  await wizard.sign(page);
  await page.getByRole("heading", { name: "Order Setup Error" }).waitFor();
  await page.getByText("There was a problem preparing your payment. Please try again.").first().waitFor();
  await context.setOffline(false);
  const made: number[] = [];
  page.on("response", (answer) => {
    if (new URL(answer.url()).pathname === "/api/orders") made.push(answer.status());
  });
  await page.getByRole("button", { name: "Try Again" }).dblclick();
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  expect(made).toEqual([201]);
  await context.close();
});

it("makes a new order in the place of one that was cancelled before it was paid, on paying or on coming back", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  const first = madeOrder(page);
  await wizard.openPayment(page, "cancelled-elsewhere@example.org");
  // Once the card form is there: the form of a payment that is cancelled already has no fields.
  await wizard.fillCard(page, wizard.cards.succeeds);
  await cancelElsewhere(context, await first);
  await wizard.pressPay(page);
  await page.getByRole("heading", { name: "Order Setup Error" }).waitFor();
  await page
    .getByText("The order was cancelled before it was paid. Trying again creates a new one.")
    .waitFor();
  const second = madeOrder(page);
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await cancelElsewhere(context, await second);
  await page.reload();
  await page.getByRole("heading", { name: "Order Setup Error" }).waitFor();
  await page.getByRole("button", { name: "Try Again" }).click();
  await wizard.pay(page, wizard.cards.succeeds);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1), soon);
  await context.close();
});

const order = z.object({ id: z.string() });

/** The id of the next order that the page makes. */
async function madeOrder(page: Page): Promise<string> {
  const made = await page.waitForResponse(
    (answer) => answer.status() === 201 && new URL(answer.url()).pathname === "/api/orders",
  );
  return order.parse(await made.json()).id;
}

/** Cancels an order as another tab of the same browser does. */
async function cancelElsewhere(context: BrowserContext, id: string): Promise<void> {
  const answer = await context.request.post(`/api/orders/${id}/cancel`, {
    data: { reason: "customerRequest" },
    headers: { "Idempotency-Key": `cancel-${id}` },
  });
  expect(answer.status()).toBe(200);
}

it("says that there is no connection where a page cannot be loaded for want of one", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/support");
  // Before that the browser says so itself, with a page of its own.
  await takenOver(page);
  await context.setOffline(true);
  await page.getByRole("contentinfo").getByRole("link", { name: "Cookies" }).click();
  await page.getByRole("heading", { level: 1, name: "No connection" }).waitFor();
  await page.getByRole("contentinfo").waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Refresh Page" }).click();
  await page.getByRole("heading", { level: 1, name: "Cookies" }).waitFor();
  await context.close();
});
