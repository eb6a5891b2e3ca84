import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { hideableTabs, hideTab } from "../../testing/browser/hidden-tab.ts";
import { lookUp } from "../../testing/browser/orders-by-api.ts";
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

const isConfirmation = (url: URL): boolean =>
  url.pathname === "/order-confirmation" && !url.searchParams.has("payment_intent");

async function readyToPay(email: string, card: string) {
  const visitor = await newVisitor(browser, product.url);
  await hideableTabs(visitor.context);
  await wizard.openPayment(visitor.page, email);
  await wizard.fillCard(visitor.page, card);
  return visitor;
}

/** Asks for a frame. @returns whether it was painted since */
async function askForFrame(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => requestAnimationFrame(() => Object.assign(window, { painted: true })));
  return () => page.evaluate(() => "painted" in window);
}

async function expectPaid(page: Page): Promise<void> {
  const orderNumber = new URL(page.url()).searchParams.get("orderNumber") ?? "";
  await vi.waitFor(
    async () => expect((await lookUp(product.url, orderNumber)).status).toBe("Processing"),
    soon,
  );
}

it("pays and places the order in a tab that goes behind another one as Pay is pressed", async () => {
  const { page, context, faults } = await readyToPay("behind@example.org", wizard.cards.succeeds);
  const show = await hideTab(page);
  const wasPainted = await askForFrame(page);
  await wizard.pressPay(page);
  await page.waitForURL(isConfirmation);
  await expectPaid(page);
  await page.getByRole("heading", { level: 1, name: "Order Confirmed" }).waitFor();
  expect(await wasPainted()).toBe(false);
  await show();
  await wizard.confirmedOrderNumber(page);
  await expect.poll(wasPainted).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

it("says that the card was declined, in a hidden tab", async () => {
  const { page, context } = await readyToPay("behind-declined@example.org", wizard.cards.declined);
  const show = await hideTab(page);
  await wizard.pressPay(page);
  await page.getByRole("main").getByRole("alert").filter({ hasText: "declined" }).waitFor();
  await show();
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  await context.close();
});

it("goes on to the bank's check and comes back from it in a hidden tab", async () => {
  const { page, context, faults } = await readyToPay("behind-bank@example.org", wizard.cards.threeDSecure);
  const showCheck = await hideTab(page);
  await wizard.pressPay(page);
  const approve = page.getByRole("button", { name: "Complete authentication" });
  await approve.waitFor();
  await showCheck();
  // It is shown for the customer to approve, and goes behind as this is done.
  const show = await hideTab(page);
  await approve.click();
  await page.waitForURL(isConfirmation);
  await expectPaid(page);
  const wasPainted = await askForFrame(page);
  await page.getByRole("heading", { level: 1, name: "Order Confirmed" }).waitFor();
  expect(await wasPainted()).toBe(false);
  await show();
  await wizard.confirmedOrderNumber(page);
  expect(faults).toEqual([]);
  await context.close();
});
