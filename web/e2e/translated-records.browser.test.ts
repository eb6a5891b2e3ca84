import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { groSays, groWill, mailsTo, receivedByGro } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { signInAs } from "../../testing/browser/staff.ts";
import { translatePages } from "../../testing/browser/translator.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { soon } from "../../testing/setup/patience.ts";

/** What customers come back to, on pages that the browser translates: saved orders, tickets, tracking. */

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

async function translatedVisitor(names: readonly string[] = wizard.typedNames) {
  const visitor = await newVisitor(browser, product.url);
  await translatePages(visitor.context, names);
  return visitor;
}

/** The link in a mail to an address, once it is there. */
const linkMailed = (email: string, pattern: RegExp): Promise<string> =>
  vi.waitFor(async () => {
    const texts = (await mailsTo(product.url, email)).map(({ text }) => text);
    const [link] = pattern.exec(texts.join("\n")) ?? [];
    if (link === undefined) throw new Error(`No mail to ${email} has such a link.`);
    return link;
  }, soon);

it("saves an order, opens it elsewhere in the place of another, and pays for it", async () => {
  const email = "translated-draft@example.org";
  const first = await translatedVisitor();
  await wizard.chooseDocument(first.page, "Birth");
  await wizard.fillYourDetails(first.page, email);
  await first.page.getByLabel("Place of birth").fill("Tŷ Ddewi");
  const save = first.page.getByRole("button", { name: "Email me a link to finish later" });
  await save.click();
  await first.page.getByRole("button", { name: "Cancel" }).click();
  await save.click();
  await first.page.getByRole("button", { name: "Send the Link" }).click();
  await first.page.getByText("Check your email").waitFor();
  // The page that was saved goes on too.
  await wizard.fillBirth(first.page);
  await first.page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  expect(first.faults).toEqual([]);
  await first.context.close();

  const { page, context, faults } = await translatedVisitor();
  await wizard.chooseDocument(page, "Death");
  await page.getByLabel("First name").fill("Dilys");
  await page.goto(await linkMailed(email, /https?:[^\s#]+\/order\/saved#key=[\w-]{43}/));
  await page.getByRole("button", { name: "Open the Saved Order" }).click();
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(await page.getByLabel("Place of birth").inputValue()).toBe("Tŷ Ddewi");
  await wizard.fillBirth(page);
  await wizard.sign(page);
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  expect(faults).toEqual([]);
  await context.close();
});

it("holds a conversation that both sides read translated", async () => {
  const email = "translated-ticket@example.org";
  const customer = await translatedVisitor(["Siân", "Llythyr", "Ble mae", "Diolch"]);
  const { page } = customer;
  await page.goto("/support");
  await page.getByLabel("What is it about?").selectOption({ label: "An order I placed" });
  await page.getByLabel("Your name").fill("Siân Rhŷs-Żak");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Subject").fill("Llythyr heb gyrraedd");
  await page.getByLabel("Message").fill("Ble mae fy nhystysgrif?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  const number = await page.getByText(/^T-[\w-]+$/).innerText();
  await page.goto(await linkMailed(email, /http\S+\/support\/view#key=[\w.~-]+/));
  await page.getByText("Ble mae fy nhystysgrif?").waitFor();

  const staff = await translatedVisitor([]);
  await staff.page.goto("/cookies");
  await signInAs(staff.page, "staff");
  const answerIn = async (text: string): Promise<void> => {
    await staff.page.getByLabel("Your reply").fill(text);
    await staff.page.getByRole("button", { name: "Send and wait" }).click();
    await staff.page.getByText("Sent. We have emailed the customer").waitFor();
  };
  await staff.page.goto(`/accessadmin/tickets/${number}`);
  await answerIn("It is on its way.");

  await page.getByRole("button", { name: "Check for a reply" }).click();
  await page.getByText("It is on its way.").waitFor();
  await page.getByText("Waiting for you").waitFor();
  await page.getByLabel("Your reply").fill("Diolch.");
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByText("We have received your reply.").waitFor();
  const messages = page.getByRole("list", { name: "Messages" }).getByRole("listitem");
  expect(await messages.count()).toBe(3);

  const conversation = staff.page.getByRole("list", { name: "Conversation" });
  await conversation.getByText("Diolch.").waitFor();
  await answerIn("You are welcome.");
  await page.getByRole("button", { name: "Check for a reply" }).click();
  await page.getByText("You are welcome.").waitFor();
  expect(await messages.count()).toBe(4);
  expect([...customer.faults, ...staff.faults.filter(isOfReact)]).toEqual([]);
  await Promise.all([customer.context.close(), staff.context.close()]);
});

/** Staff read what a browser makes of numbers and names beside the original. */
const isOfReact = (fault: string): boolean => !fault.includes("It is translated");

/** An order paid a moment ago, its tracking page open for its holder. */
async function tracked(email: string) {
  const visitor = await translatedVisitor();
  const { page } = visitor;
  await wizard.reachPayment(page, "Birth", email);
  await wizard.pay(page, wizard.cards.succeeds);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  await page.getByRole("link", { name: "Track My Order" }).click();
  await page.getByText("With Home Office").waitFor();
  return { ...visitor, orderNumber };
}

const history = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

it("follows an order through the GRO's question to its arrival", async () => {
  const { page, context, faults, orderNumber } = await tracked("translated-arrival@example.org");
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  await groSays(product.url, orderNumber, "queried");
  await page.getByRole("heading", { name: "The General Register Office has a question" }).waitFor();
  await page.getByRole("link", { name: "Enter the Details Again" }).click();
  await page.getByRole("heading", { level: 1, name: "Whose birth certificate is it?" }).waitFor();
  await wizard.fillBirth(page, "Send Answer");
  await page.getByText("We’ll send what you entered to the General Register Office.").waitFor();
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(2), soon);
  await groSays(product.url, orderNumber, "dispatched");
  await history(page, "We have completed our part of your order").waitFor();
  await page.getByRole("button", { name: "It Arrived" }).click();
  await page.getByRole("heading", { name: "Your certificate has arrived" }).waitFor();
  await page.getByRole("button", { name: "Order Another Like This" }).click();
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("corrects the contact, cancels, and tells of the refund", async () => {
  await groWill(product.url, "reject");
  const { page, context, faults } = await tracked("translated-cancel@example.org");
  await page.getByRole("link", { name: "Correct your contact details" }).click();
  await page.getByLabel("Address line 1").fill("2 Stryd Fawr");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("We have corrected your contact details.").waitFor();
  const cancel = page.getByRole("button", { name: "Cancel Order", exact: true });
  await cancel.click();
  await page.getByRole("button", { name: "Keep Order" }).click();
  await cancel.click();
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await history(page, "Your order was cancelled").waitFor();
  await history(page, "We refunded £45.00").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("finds an order by its number and by the email address", async () => {
  const email = "translated-lookup@example.org";
  const { context, orderNumber } = await tracked(email);
  await context.close();
  const { page, faults, ...visitor } = await translatedVisitor();
  await page.goto("/lookup");
  const number = page.getByLabel("Order Number");
  const find = page.getByRole("button", { name: "Find Order" });
  await find.click();
  await page.getByText("Order number is required").waitFor();
  await number.fill("7K3M-9QXT-2BWHD");
  await find.click();
  await page.getByText("No order has this number.").waitFor();
  await page.getByText("I don’t have my order number").click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Email Me Links" }).click();
  await page.getByText("Check your email").waitFor();
  await page.getByRole("button", { name: "Use another address" }).click();
  await page.getByLabel("Email").waitFor();
  await number.fill(orderNumber.toLowerCase());
  await find.click();
  await page.getByText("With Home Office").waitFor();
  await page.goto(await linkMailed(email, new RegExp(`http\\S+order=${orderNumber}\\S*key=\\S+`)));
  await page.getByRole("link", { name: "Correct your contact details" }).waitFor();
  // The answer to an unknown number is a 404, which Chromium reports on the console by itself.
  expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  await visitor.context.close();
});
