import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { lookUp } from "../../testing/browser/orders-by-api.ts";
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

/** Makes the heading of every page throw as soon as it names the tab: on opening a page, or when it gains an error. */
async function breakPages(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "title", {
      configurable: true,
      get: () => "",
      set: (title: string) => {
        if (!title.startsWith("Server Error")) throw new Error("A component is broken.");
      },
    });
  });
}

/** Reads the explanation, mends what was broken, and goes on. */
async function tryAgain(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Server Error" }).waitFor();
  await page.evaluate(() => Reflect.deleteProperty(document, "title"));
  await page.getByRole("button", { name: "Try Again" }).click();
}

it("shows every step again where it was, with what was typed, and pays for one order", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  const made: string[] = [];
  page.on("response", (answer) => {
    if (new URL(answer.url()).pathname === "/api/orders") made.push(answer.request().method());
  });
  await wizard.chooseDocument(page, "Birth", "2 copies");
  await page.getByLabel("First name").fill("Siân");
  await breakPages(page);
  await page.getByRole("button", { name: "Continue to Certificate Details" }).click();
  await tryAgain(page);
  await page.getByRole("heading", { level: 1, name: "Your Details" }).waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Siân");
  await wizard.fillYourDetails(page, "broken@example.org");

  await page.getByLabel("Place of birth").fill("Tŷ Ddewi");
  await breakPages(page);
  await page.getByRole("button", { name: "Continue to Review" }).click();
  await tryAgain(page);
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(await page.getByLabel("Place of birth").inputValue()).toBe("Tŷ Ddewi");
  await wizard.fillBirth(page);

  await page.getByLabel("Signature").fill("Siân Rhŷs-Żak");
  await breakPages(page);
  // Said to be disabled until both boxes are ticked, it still answers a press.
  await page.getByRole("button", { name: "Continue to Payment" }).click({ force: true });
  await tryAgain(page);
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  expect(await page.getByLabel("Signature").inputValue()).toBe("Siân Rhŷs-Żak");
  await page.getByLabel(/I accept the/).check();
  await page.getByLabel(/I ask you to start now/).check();
  await breakPages(page);
  await page.getByRole("button", { name: "Continue to Payment" }).click();
  await tryAgain(page);

  await wizard.fillCard(page, wizard.cards.succeeds);
  await breakPages(page);
  await page.getByRole("button", { name: "Pay £90.00" }).click();
  // The payment goes on, and it is the confirmation that breaks.
  await tryAgain(page);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  expect((await lookUp(product.url, orderNumber)).status).toBe("Processing");
  expect(made).toEqual(["POST"]);

  await breakPages(page);
  await page.getByRole("link", { name: "Track My Order" }).click();
  await tryAgain(page);
  await page.getByText("With Home Office").waitFor();
  expect(new URL(page.url()).searchParams.get("order")).toBe(orderNumber);
  await context.close();
});

it("shows a step again whose form was taken from the page, as an extension of the browser may do", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "again@example.org");
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  // React then fails to remove the form.
  await page.locator("main form").evaluate((form) => form.remove());
  await page.goBack();
  await tryAgain(page);
  await page.getByRole("heading", { level: 1, name: "Your Details" }).waitFor();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("again@example.org");
  await context.close();
});
