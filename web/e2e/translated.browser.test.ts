import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newVisitor, openBrowser, settled } from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { publicPages } from "../../testing/browser/public-pages.ts";
import { translatePages } from "../../testing/browser/translator.ts";
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

it("orders and tracks a certificate on pages that the browser translates", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await translatePages(context, wizard.typedNames);
  await wizard.chooseDocument(page, "Birth", "2 copies", "Priority");
  await wizard.fillYourDetails(page, "translated@example.org");
  await wizard.fillBirth(page);
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.declined);
  await page.getByText("Payment Failed", { exact: true }).first().waitFor();
  await wizard.pay(page, wizard.cards.succeeds);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  await page.getByRole("link", { name: "Track My Order" }).click();
  await page.getByText("With Home Office").first().waitFor();
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  expect(await page.getByText(orderNumber, { exact: true }).count()).toBeGreaterThan(1);
  // The provider's answer to a declined card is a 402, which Chromium reports on the console by itself.
  expect(faults.filter((fault) => !fault.includes("402"))).toEqual([]);
  await context.close();
});

it.each([
  ["Death", wizard.fillDeath],
  ["Marriage", wizard.fillMarriage],
  ["Adoption", wizard.fillAdoption],
] as const)("orders a certificate of %s, translated, after the bank refused once", async (type, fill) => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await translatePages(context, wizard.typedNames);
  await wizard.startPreselected(page, type);
  await wizard.fillYourDetails(page, "translated@example.org");
  await fill(page);
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.threeDSecure);
  await page.getByRole("button", { name: "Fail authentication" }).click();
  const refusal = page.getByRole("main").getByText("Your bank did not approve the payment.");
  await refusal.waitFor();
  await wizard.pay(page, wizard.cards.threeDSecure);
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await wizard.confirmedOrderNumber(page);
  expect(faults).toEqual([]);
  await context.close();
});

it.each(publicPages)("leaves amounts, addresses and numbers alone on $path", async ({ path, heading }) => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await translatePages(context);
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  expect(await page.getByRole("banner").getByText("Kith & Copy").getAttribute("translate")).toBe("no");
  await settled(page);
  expect(faults).toEqual([]);
  await context.close();
});

it("writes to support on a page that was translated before it hydrated", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await translatePages(context, wizard.typedNames);
  await page.goto("/support");
  await page.getByLabel("What is it about?").selectOption({ label: "An order I placed" });
  await page.getByLabel("Your name").fill("Siân Rhŷs-Żak");
  await page.getByLabel("Email", { exact: true }).fill("translated@example.org");
  await page.getByLabel("Subject").fill("Llythyr heb gyrraedd");
  await page.getByLabel("Message").fill("Ble mae fy nhystysgrif?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
