import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { visitAs } from "../../testing/browser/staff.ts";
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

/** As browsers copy a tab: with its session storage. */
async function copyOf(page: Page): Promise<Page> {
  const kept = await page.evaluate(() => Object.entries(sessionStorage));
  const copy = await page.context().newPage();
  await copy.goto("/cookies");
  await copy.evaluate((entries) => {
    for (const [key, value] of entries) sessionStorage.setItem(key, value);
  }, kept);
  await copy.goto("/order");
  return copy;
}

it("tells a tab copied at the review of the first order before it pays, and lets it order another copy", async () => {
  const { page, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "copied@example.org");
  await wizard.fillBirth(page);
  const [late, waiting] = [await copyOf(page), await copyOf(page)];
  await wizard.sign(waiting);
  await waiting.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);
  const first = await wizard.confirmedOrderNumber(page);
  const told = `You already ordered this certificate less than a minute ago (${first}). Order another copy?`;

  await wizard.sign(late);
  await late.getByText(told).waitFor();
  expect(await late.getByRole("button", { name: /^Pay/ }).count()).toBe(0);
  await expectAccessible(late, "step 5, ordered before");
  await late.getByRole("link", { name: "Track the first order" }).click();
  await late.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(late.url()).pathname).toBe("/lookup");

  await wizard.pay(waiting, wizard.cards.succeeds);
  await waiting.getByText(told).waitFor();
  await waiting.getByRole("button", { name: "Order another copy" }).click();
  await wizard.pay(waiting, wizard.cards.succeeds);
  const another = await wizard.confirmedOrderNumber(waiting);
  expect(another).not.toBe(first);
  // The customer has said that it is none.
  await visitAs({ browser, url: product.url }, "staff", `/accessadmin/orders/${another}`, async (staff) => {
    await staff.getByText("Order placed").waitFor();
    expect(await staff.getByText("Possible duplicate").count()).toBe(0);
  });
  expect(faults).toEqual([]);
  await page.context().close();
});

it("keeps an order that a copied tab has paid for when this one changes what it asks for", async () => {
  const { page, faults } = await newVisitor(browser, product.url);
  await wizard.reachPayment(page, "Birth", "changed@example.org");
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  const copy = await copyOf(page);
  await wizard.pay(copy, wizard.cards.succeeds);
  const first = await wizard.confirmedOrderNumber(copy);

  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("button", { name: "Change Your choice" }).click();
  await page.getByLabel("Number of Copies").selectOption({ label: "2 copies" });
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  await wizard.sign(page);
  await page.getByText(`You already ordered this certificate less than a minute ago (${first}).`).waitFor();
  await page.getByRole("button", { name: "Order another copy" }).click();
  await page.getByRole("button", { name: "Pay £90.00" }).waitFor();

  await copy.goto(`/lookup?order=${first}`);
  await copy.getByText("We received your payment").waitFor();
  expect(await copy.getByText("cancelled").count()).toBe(0);
  // The refusal to cancel it.
  expect(faults.every((fault) => fault.includes("409"))).toBe(true);
  await page.context().close();
});
