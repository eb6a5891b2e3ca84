import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { receivedByGro } from "../../testing/browser/orders-by-api.ts";
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

const birth = "birth certificate of Anwen Mair Llywelyn-Unmistakable";

/** Everything up to the review of a marriage, a birth and a death. */
async function reviewThree(page: Page, email: string): Promise<void> {
  await wizard.startPreselected(page, "marriage");
  await wizard.fillYourDetails(page, email);
  await wizard.fillMarriage(page);
  await wizard.addAnother(page, "Birth");
  await wizard.fillBirth(page);
  await wizard.addAnother(page, "Death");
  await wizard.fillDeath(page);
  await wizard.arrive(page, "Review & Sign");
}

it("buys a birth, a death and a marriage certificate in one payment", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  const made = new Set<string>();
  page.on("response", async (response) => {
    if (response.request().method() !== "POST" || new URL(response.url()).pathname !== "/api/orders") return;
    made.add(String((await response.json()).id));
  });
  await reviewThree(page, "basket@example.org");
  await expectAccessible(page, "the review of three certificates");
  await expectNoSidewaysScroll(page, "the review of three certificates");

  await page.getByText("3 certificates", { exact: true }).waitFor();
  await wizard.press(page, "Price breakdown");
  await expectAccessible(page, "the receipt of three certificates");
  await wizard.press(page, `Remove ${birth}`);
  const removed = page.getByRole("status").filter({ hasText: `You removed the ${birth}.` });
  await expect.poll(() => removed.evaluate(isFocused)).toBe(true);
  await expectAccessible(page, "a certificate that was removed");
  await page.getByText("2 certificates", { exact: true }).waitFor();
  await page.locator("h1").focus();
  await wizard.addAnother(page, "Birth");
  await wizard.fillBirth(page);
  await wizard.sign(page);
  await page.getByRole("button", { name: "Pay £135.00" }).waitFor();
  await page.reload();
  await page.getByText("Total for 3 certificates").waitFor();
  await page.frameLocator("iframe").getByLabel("Card number").waitFor();
  await expectAccessible(page, "step 5 of three certificates");
  await expectNoSidewaysScroll(page, "step 5 of three certificates");

  await wizard.pay(page, wizard.cards.declined);
  await page.getByText("Payment Failed", { exact: true }).waitFor();
  await wizard.pay(page, wizard.cards.threeDSecure);
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await wizard.confirmedOrderNumber(page);
  expect(made.size).toBe(3);
  const numbers = page.getByRole("list").filter({ has: page.getByRole("button", { name: /^Copy/ }) });
  await expect.poll(() => numbers.getByRole("listitem").count()).toBe(3);
  await expectAccessible(page, "the confirmation of three orders");
  await expectNoSidewaysScroll(page, "the confirmation of three orders");
  const links = numbers.getByRole("link", { name: /^Track order / });
  const ordered = await links.evaluateAll((found) =>
    found.map((link) => new URLSearchParams(link.getAttribute("href")?.split("?")[1]).get("order") ?? ""),
  );
  for (const number of ordered) {
    await vi.waitFor(async () => expect(await receivedByGro(product.url, number)).toHaveLength(1), soon);
  }
  await links.nth(1).press("Enter");
  const together = page.getByRole("region", { name: "Ordered together" });
  await together.waitFor();
  expect(await together.getByRole("link").allInnerTexts()).toEqual([ordered[0], ordered[2]]);
  await expectAccessible(page, "tracking of an order of three");
  await expectNoSidewaysScroll(page, "tracking of an order of three");
  await together.getByRole("link").first().press("Enter");
  await page.getByRole("heading", { level: 2, name: `Order ${ordered[0]}` }).waitFor();
  expect(faults.filter((fault) => !fault.includes("402"))).toEqual([]);
  await context.close();
});

it("offers the surname and the parents of another certificate, and fills in nothing by itself", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "sister@example.org");
  expect(await page.getByRole("button", { name: /^Use the/ }).count()).toBe(0);
  await wizard.fillBirth(page);
  await wizard.addAnother(page, "Birth");
  await wizard.arrive(page, "Whose birth certificate is it?");
  const surname = page.getByRole("button", { name: "Use the surname Llywelyn-Unmistakable", exact: true });
  const parents = page.getByRole("button", { name: `Use the same parents as on the ${birth}`, exact: true });
  for (const label of ["Surname at birth", "Father's surname", "Mother's forename", "Mother's maiden name"])
    expect(await page.getByLabel(label).inputValue()).toBe("");
  await expectAccessible(page, "answers of another certificate offered");
  await expectNoSidewaysScroll(page, "answers of another certificate offered");
  await page.getByLabel("Place of birth").focus();
  await page.keyboard.press("Tab");
  await expect.poll(() => surname.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByLabel("Surname at birth").evaluate(isFocused)).toBe(true);
  expect(await page.getByLabel("Surname at birth").inputValue()).toBe("Llywelyn-Unmistakable");
  expect(await surname.count()).toBe(0);
  expect(await page.getByLabel("Father's surname").inputValue()).toBe("");
  await parents.press("Enter");
  await expect.poll(() => page.getByLabel("Father's surname").evaluate(isFocused)).toBe(true);
  for (const [label, answer] of [
    ["Father's surname", "Llywelyn"],
    ["Father's forename", "Dafydd"],
    ["Mother's forename", "Mair"],
    ["Mother's maiden name", "Prydderch"],
    ["Mother's surname", "Llywelyn"],
  ] as const)
    expect(await page.getByLabel(label).inputValue()).toBe(answer);
  await page.getByLabel("Mother's maiden name").fill("");
  await parents.waitFor();
  await page.reload();
  expect(await page.getByLabel("Father's forename").inputValue()).toBe("Dafydd");
  expect(await page.getByLabel("Mother's maiden name").inputValue()).toBe("");
  await expectAccessible(page, "answers of another certificate filled in");
  expect(faults).toEqual([]);
  await context.close();
});

it("goes back from another certificate to the review, and forward to what was answered about it", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "back@example.org");
  await wizard.fillBirth(page);
  await wizard.arrive(page, "Review & Sign");
  await wizard.press(page, "Add another certificate");
  await wizard.arrive(page, "Select Document Type");
  await page.getByText("2 certificates", { exact: true }).waitFor();
  await page.goBack();
  await wizard.arrive(page, "Review & Sign");
  await page.getByText("Birth certificate × 1", { exact: true }).waitFor();
  await page.goForward();
  await wizard.arrive(page, "Select Document Type");
  await page.getByText("2 certificates", { exact: true }).waitFor();

  await page.getByRole("radio", { name: "Death Certificate" }).press("Space");
  await wizard.press(page, "Continue to Certificate Details");
  await wizard.arrive(page, "Whose death certificate is it?");
  await page.getByLabel("Deceased's surname").fill("Ellis");
  await page.goBack();
  await wizard.arrive(page, "Select Document Type");
  expect(await page.getByRole("radio", { name: "Death Certificate" }).isChecked()).toBe(true);
  await page.goBack();
  await wizard.arrive(page, "Review & Sign");
  await page.getByText("You haven’t finished this certificate.").waitFor();
  await expectAccessible(page, "the review of an unfinished certificate");
  await expectNoSidewaysScroll(page, "the review of an unfinished certificate");
  await page.getByLabel("Signature").fill("Siân Rhŷs-Żak");
  await page.getByLabel(/I accept the/).check();
  await page.getByLabel(/I ask you to start now/).check();
  await wizard.press(page, "Continue to Payment");
  const problem = wizard.errorSummary(page);
  await problem.getByRole("link").press("Enter");
  const finish = page.getByRole("button", { name: "Finish the death certificate of Ellis" });
  await expect.poll(() => finish.evaluate(isFocused)).toBe(true);
  await finish.press("Enter");
  await wizard.arrive(page, "Whose death certificate is it?");
  expect(await page.getByLabel("Deceased's surname").inputValue()).toBe("Ellis");
  await wizard.fillDeath(page);
  await wizard.arrive(page, "Review & Sign");
  expect(await page.getByText("You haven’t finished this certificate.").count()).toBe(0);

  await wizard.press(
    page,
    "Change certificate details of the birth certificate of Anwen Mair Llywelyn-Unmistakable",
  );
  await wizard.arrive(page, "Whose birth certificate is it?");
  await page.goBack();
  await wizard.arrive(page, "Review & Sign");
  await page.goBack();
  await wizard.arrive(page, "Whose death certificate is it?");
  await page.goForward();
  await page.goForward();
  await wizard.arrive(page, "Whose birth certificate is it?");
  expect(faults).toEqual([]);
  await context.close();
});
