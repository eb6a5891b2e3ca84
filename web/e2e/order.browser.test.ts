import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { expectAccessible, newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { mailsTo, receivedByGro } from "../../testing/browser/orders-by-api.ts";
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

it("buys a birth certificate, from the home page to the certificate of deletion", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const email = "birth@example.org";
  await page.goto("/");
  await page.getByText("From £45").first().waitFor();
  await expectAccessible(page, "home");
  await page.getByRole("link", { name: "Start Your Application" }).click();
  await wizard.chooseDocument(page, "Birth", "2 copies");
  await expectAccessible(page, "step 2");
  await wizard.fillYourDetails(page, email);
  await expectAccessible(page, "step 3, birth");
  await wizard.fillBirth(page);
  await expectAccessible(page, "step 4");
  await wizard.sign(page);
  await page.getByRole("button", { name: "Pay £90.00" }).waitFor();
  await page.frameLocator("iframe").getByLabel("Card number").waitFor();
  await expectAccessible(page, "step 5");
  await wizard.pay(page, wizard.cards.succeeds);
  await page.getByRole("heading", { name: "Payment Successful" }).waitFor();
  await expectAccessible(page, "step 5, paid");

  const orderNumber = await wizard.confirmedOrderNumber(page);
  await page.getByText("£90.00").waitFor();
  await page.getByText(email).waitFor();
  await expectAccessible(page, "confirmation");

  await page.getByRole("link", { name: "Track My Order" }).click();
  await page.getByText("With Home Office").waitFor();
  await vi.waitFor(async () => {
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor({ timeout: 1000 });
  }, soon);
  await page
    .getByText(/sensitive (data|details) (was|were) deleted/i)
    .first()
    .waitFor();
  await expectAccessible(page, "tracking");

  const subjects = (await mailsTo(product.url, email)).map(({ subject }) => subject);
  expect(subjects.some((subject) => subject.includes(orderNumber))).toBe(true);
  const confirmation = (await mailsTo(product.url, email)).at(-1);
  expect(confirmation?.text).toContain("£90.00");
  expect(confirmation?.text).toMatch(/cancel/i);
  expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1);
  expect(faults).toEqual([]);
  await context.close();
});

it("buys a death certificate with a card that is declined first", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const email = "death@example.org";
  await wizard.chooseDocument(page, "Death", "1 copy", "Priority");
  await wizard.fillYourDetails(page, email);
  await expectAccessible(page, "step 3, death");
  await wizard.fillDeath(page);
  await wizard.sign(page);
  await page.getByRole("button", { name: "Pay £75.00" }).waitFor();
  await wizard.pay(page, wizard.cards.declined);
  await page.getByText("Payment Failed", { exact: true }).waitFor();
  await page.getByRole("alert").first().waitFor();
  await expectAccessible(page, "step 5, declined");
  // It was shown in dark and in light meanwhile.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Pay £/);
  const cardNumber = page.frameLocator("iframe").first().getByLabel("Card number");
  expect(await cardNumber.inputValue()).toBe(wizard.cards.declined);
  // Beside the price of Priority stands the GRO's own for it.
  await page.getByText(/for £38\.50 with Priority\. Our price of £75\.00 covers that fee/).waitFor();
  await wizard.pay(page, wizard.cards.succeeds);
  await page.getByRole("heading", { name: "Payment Successful" }).waitFor();
  expect(await page.getByText("Payment Failed", { exact: true }).count()).toBe(0);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1), soon);
  // The provider's answer to a declined card is a 402, which Chromium reports on the console by itself.
  expect(faults.filter((fault) => !fault.includes("402"))).toEqual([]);
  await context.close();
});

it("pays with a card whose bank asks, after refusing the bank once", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.reachPayment(page, "Birth", "bank@example.org");
  await wizard.pay(page, wizard.cards.threeDSecure);
  await page.getByRole("button", { name: "Fail authentication" }).click();
  await page.getByRole("heading", { level: 1, name: "Payment" }).waitFor();
  // Beside the card, where it stays once the notification has gone.
  const refusal = page.getByRole("main").getByText(/^Your bank did not approve the payment\./);
  await refusal.waitFor();
  await wizard.pay(page, wizard.cards.threeDSecure);
  await page.getByRole("button", { name: "Complete authentication" }).click();
  const orderNumber = await wizard.confirmedOrderNumber(page);
  expect(page.url()).not.toContain("client_secret");
  await page.goto("/lookup");
  await page.getByLabel("Order Number").fill(orderNumber.toLowerCase().replaceAll("-", " "));
  await page.getByRole("button", { name: "Find Order" }).click();
  await page.getByText("With Home Office").waitFor();
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1), soon);
  expect(faults).toEqual([]);
  await context.close();
});

it("places the order when the card was charged and the answer was lost", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.reachPayment(page, "Birth", "lost@example.org");
  await page.route(/\/confirm$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  expect(await page.getByText("Payment Failed", { exact: true }).count()).toBe(0);
  // The draft is gone: Back must not open the middle of an empty one.
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Select Document Type" }).waitFor();
  expect(faults.filter((fault) => !fault.includes("ERR_FAILED"))).toEqual([]);
  await context.close();
});

it("places the order in a second tab, where it was paid for in the first", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.reachPayment(page, "Birth", "tabs@example.org");
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
  const other = await context.newPage();
  await other.addInitScript((text) => {
    if (sessionStorage.length === 0) Object.assign(sessionStorage, JSON.parse(text));
  }, kept);
  await other.goto("/order");
  await other.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await wizard.pay(page, wizard.cards.succeeds);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  await wizard.pay(other, wizard.cards.succeeds);
  expect(await wizard.confirmedOrderNumber(other)).toBe(orderNumber);
  await context.close();
});

it("makes one order and one charge of an impatient double click and a reload", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const made: string[] = [];
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (response.request().method() === "POST" && pathname === "/api/orders") {
      made.push(String((await response.json()).id));
    }
  });
  await wizard.reachPayment(page, "Birth", "impatient@example.org");
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await page.reload();
  const card = page.frameLocator("iframe").first();
  await card.getByLabel("Card number").fill(wizard.cards.succeeds);
  await card.getByLabel("Expiry date").fill("12 / 34");
  await card.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: "Pay £45.00" }).dblclick();
  const orderNumber = await wizard.confirmedOrderNumber(page);
  expect(new Set(made).size).toBe(1);
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1), soon);
  expect(faults).toEqual([]);
  await context.close();
});
