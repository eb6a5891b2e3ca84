import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFocused, newVisitor, openBrowser } from "../../testing/browser/browser.ts";
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

const mostTabs = 60;

/** What has the focus, by the words that a person knows it by. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) {
      const group =
        element.type === "radio"
          ? (element.closest("fieldset")?.querySelector("legend")?.innerText ?? "")
          : "";
      const named = element.getAttribute("aria-labelledby");
      const label = named ? document.getElementById(named)?.innerText : element.labels?.[0]?.innerText;
      return `${group}: ${label ?? ""}`;
    }
    return element instanceof HTMLElement ? element.innerText : "";
  });

/** Presses Tab until something known by these words has the focus. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    await page.keyboard.press("Tab");
    const here = await focused(page);
    if (words.test(here)) return;
    passed.push(here.replaceAll("\n", " "));
  }
  throw new Error(`Tab never came to ${words}, but to: ${passed.join(" · ")}`);
}

async function type(page: Page, label: RegExp, words: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.type(words);
}

async function press(page: Page, button: RegExp): Promise<void> {
  await tabTo(page, button);
  await page.keyboard.press("Enter");
}

/**
 * Waits for the next step, whose heading takes the focus a moment after it shows: keys pressed before would be lost to
 * it.
 */
async function arrive(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { name: heading }).waitFor();
  await page.locator("h1:focus").waitFor();
}

async function stepTwo(page: Page): Promise<void> {
  await arrive(page, "Your Details");
  await type(page, /: Title$/, "Mrs");
  await type(page, /First name/, "Siân");
  await type(page, /Last name/, "Rhŷs");
  await type(page, /: Email/, "keys@example.org");
  await type(page, /Confirm email/, "keys@example.org");
  await type(page, /Address line 1/, "1 Heol y Bont");
  await type(page, /Town/, "Aberystwyth");
  await type(page, /County/, "Ceredigion");
  await type(page, /Postcode/, "SY23 1AA");
  await type(page, /Daytime phone/, "01970 000000");
  await press(page, /Continue to Certificate Details/);
}

async function stepThree(page: Page): Promise<void> {
  await arrive(page, "Whose birth certificate is it?");
  await type(page, /Place of birth/, "Bangor");
  await type(page, /Surname at birth/, "Ellis");
  await type(page, /Forenames at birth/, "Gwen");
  await tabTo(page, /^Gender: /);
  await page.keyboard.press("Space");
  await type(page, /: Day$/, "12");
  await type(page, /: Month$/, "March");
  await type(page, /: Year$/, "1950");
  await type(page, /Mother's forename/, "Ann");
  await type(page, /Mother's maiden name/, "Puw");
  await type(page, /Mother's surname/, "Ellis");
  await type(page, /Year registered/, "1950");
  await tabTo(page, /^Do you know the GRO Reference Number\?: /);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, /^Is the person adopted\?: /);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await press(page, /Continue to Review/);
}

it("orders from the home page to the certificate on its way with the keyboard alone", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.goto("/");
  await press(page, /Start Your Application/);
  await page.getByRole("heading", { name: "Select Document Type" }).waitFor();
  await tabTo(page, /: Birth Certificate$/);
  await press(page, /Continue to Your Details/);
  await stepTwo(page);
  await stepThree(page);
  await arrive(page, "Review & Sign");
  await type(page, /Signature/, "Siân Rhŷs");
  await tabTo(page, /I accept the/);
  await page.keyboard.press("Space");
  await tabTo(page, /I ask you to start now/);
  await page.keyboard.press("Space");
  await press(page, /Continue to Payment/);
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await tabTo(page, /^$/);
  const card = page.frameLocator("iframe").first();
  await card.getByLabel("Card number").focus();
  await page.keyboard.type(wizard.cards.succeeds);
  await page.keyboard.press("Tab");
  await page.keyboard.type("12 / 34");
  await page.keyboard.press("Tab");
  await page.keyboard.type("123");
  await press(page, /^Pay £45.00$/);
  await wizard.confirmedOrderNumber(page);
  expect(faults).toEqual([]);
  await context.close();
});

it("skips to the content of the step that is shown, also after going back", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "skip@example.org");
  await wizard.fillBirth(page);
  await arrive(page, "Review & Sign");
  await page.goBack();
  await arrive(page, "Whose birth certificate is it?");
  await page.getByRole("link", { name: "Skip to main content" }).press("Enter");
  expect(await page.getByRole("main").evaluate(isFocused)).toBe(true);
  expect(page.url()).toBe(`${product.url}/order`);
  await tabTo(page, /Place of birth/);
  expect(faults).toEqual([]);
  await context.close();
});
