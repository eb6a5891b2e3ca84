import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { groWill, mailsTo, placeOrder, receivedByGro } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { closed, confirm, dialog, entry, openAction, openOrder } from "../../testing/browser/staff.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { soon } from "../../testing/setup/patience.ts";

/** The recipient of the certificate, if not the customer, and the customer's own reference. */

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterEach(() => groWill(product.url, "ok"));
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const postTo = (page: Page, who: string): Promise<void> =>
  wizard.answer(page, "Post the certificate to", who);
const someoneElse = "Someone else, such as a relative or solicitor";

/** Step 2 for the customer, left open with the questions about the recipient. */
async function fillYourDetailsForSomeoneElse(page: Page, email: string): Promise<void> {
  await wizard.fillYourDetails(page, email);
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await postTo(page, someoneElse);
}

async function fillRecipient(page: Page): Promise<void> {
  await page.getByLabel("Recipient’s full name").fill("Mair Evans");
  await page.getByLabel("Recipient’s address line 1").fill("2 Stryd Fawr");
  await page.getByLabel("Recipient’s town/city").fill("Bangor");
  await page.getByLabel("Recipient’s county").fill("Gwynedd");
  await page.getByLabel("Recipient’s postcode").fill("ll57 1aa");
}

const address = {
  Address1: "2 Stryd Fawr",
  Address2: "",
  Town: "Bangor",
  County: "Gwynedd",
  Country: "United Kingdom",
  PostCode: "LL57 1AA",
};

it("is asked for quietly, reviewed, sent to the GRO and named where the customer reads of the order", async () => {
  const email = "recipient@example.org";
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Birth");
  expect(await page.getByLabel("Recipient’s full name").count()).toBe(0);
  await fillYourDetailsForSomeoneElse(page, email);
  await page.getByLabel("Your reference (optional)").fill("SMITH/42");
  await page.getByRole("button", { name: "Continue to Certificate Details" }).click();
  await wizard.errorSummary(page).getByRole("link", { name: "Recipient’s postcode is required" }).waitFor();
  await expectAccessible(page, "step 2, recipient missing");
  await expectNoSidewaysScroll(page, "step 2, recipient missing");
  await fillRecipient(page);
  await page.getByRole("button", { name: "Continue to Certificate Details" }).click();
  await wizard.fillBirth(page);
  await page.getByText("Mair Evans 2 Stryd Fawr Bangor Gwynedd LL57 1AA United Kingdom").waitFor();
  await page.getByText("SMITH/42").waitFor();
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);

  const orderNumber = await wizard.confirmedOrderNumber(page);
  await page.getByText("Mair Evans").waitFor();
  await page.getByText("SMITH/42").waitFor();
  await expectAccessible(page, "confirmation, with a recipient");
  await page.getByRole("link", { name: "Track My Order" }).click();
  await page.getByText("Certificate goes to Mair Evans · Your reference SMITH/42").waitFor();
  await expectAccessible(page, "tracking, with a recipient");
  await expectNoSidewaysScroll(page, "tracking, with a recipient");

  const [received] = await vi.waitFor(async () => {
    const applications = await receivedByGro(product.url, orderNumber);
    expect(applications).toHaveLength(1);
    return applications;
  }, soon);
  expect(received).toMatchObject({ contact: { recipient: { fullName: "Mair Evans", address } } });
  expect(JSON.stringify(received)).not.toContain("SMITH/42");
  const confirmation = (await mailsTo(product.url, email)).at(-1);
  expect(confirmation?.text).toContain("posts it to Mair Evans, at the address you gave us");
  expect(confirmation?.text).toContain("Your reference: SMITH/42");

  const stranger = await newVisitor(browser, product.url);
  await stranger.page.goto(`/lookup?order=${orderNumber}`);
  await stranger.page.getByText("With Home Office").first().waitFor();
  expect(await stranger.page.getByText(/Mair Evans|SMITH/).count()).toBe(0);
  await stranger.context.close();
  expect(faults).toEqual([]);
  await context.close();
});

it("can be taken away by the customer, on the order's page", async () => {
  await groWill(product.url, "reject");
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await fillYourDetailsForSomeoneElse(page, "no-recipient@example.org");
  await fillRecipient(page);
  await page.getByRole("button", { name: "Continue to Certificate Details" }).click();
  await wizard.fillBirth(page);
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  await page.getByRole("link", { name: "Track My Order" }).click();
  await page.getByText("Certificate goes to Mair Evans").waitFor();
  await page.getByRole("link", { name: "Correct your contact details" }).click();
  await page.getByText("posts the certificate to the recipient").waitFor();
  expect(await page.getByLabel("Recipient’s full name").inputValue()).toBe("Mair Evans");
  await expectAccessible(page, "correcting the recipient");
  await postTo(page, "Me");
  await page.getByText("posts the certificate to this address").waitFor();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Thank you. We have corrected your contact details.").waitFor();
  await vi.waitFor(() => page.getByText("Mair Evans").waitFor({ state: "hidden", timeout: 1000 }), soon);
  expect(faults).toEqual([]);
  await context.close();
});

it("is revealed to staff with the contact data, and corrected by them", async () => {
  await groWill(product.url, "reject");
  const recipient = { fullName: "Mair Evans", address };
  const order = await placeOrder(product.url, { recipient, customerReference: "SMITH/42" });
  await openOrder({ browser, url: product.url }, "staff", order, async (page) => {
    await entry(page, "Attempt 1 failed").waitFor();
    await openAction(page, "Reveal with a reason… Contact");
    await confirm(page, "Reveal");
    await closed(page);
    await page.getByRole("heading", { name: "Post the certificate to" }).waitFor();
    await page.getByText("SMITH/42").waitFor();
    await expectAccessible(page, "a revealed recipient");
    const asking = await openAction(page, "Correct contact");
    expect(await asking.getByLabel("Recipient’s full name").inputValue()).toBe("Mair Evans");
    await expectAccessible(page, "correcting a recipient in the back office");
    await asking.getByLabel("Post the certificate to").selectOption({ label: "The customer" });
    expect(await dialog(page).getByLabel("Recipient’s full name").count()).toBe(0);
    await asking.getByLabel("Customer’s own reference").fill("JONES/7");
    await confirm(page, "Correct contact");
    await closed(page);
    await openAction(page, "Reveal with a reason… Contact");
    await confirm(page, "Reveal");
    await closed(page);
    await page.getByText("JONES/7").waitFor();
    expect(await page.getByRole("heading", { name: "Post the certificate to" }).count()).toBe(0);
  });
});
