import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import {
  groSays,
  groWill,
  mailsTo,
  openAsHolder,
  placeOrder,
  receivedByGro,
} from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { soon } from "../../testing/setup/patience.ts";

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

/** An order paid a moment ago, its tracking page open for its holder. */
async function tracked(email: string) {
  const visitor = await newVisitor(browser, product.url);
  const order = await placeOrder(product.url, { email });
  await openAsHolder(visitor.page, product.url, order);
  await visitor.page.getByText("With Home Office").waitFor();
  return { ...visitor, orderNumber: order.orderNumber };
}

const history = (page: Page, text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text });

it("follows an order to its despatch by itself, reads each step out, and leaves the reader where they are", async () => {
  const { page, context, faults, orderNumber } = await tracked("live@example.org");
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await page.getByText("This page updates automatically.").waitFor();
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  const downloaded = page.waitForEvent("download");
  await page.getByRole("link", { name: "Receipt (PDF)" }).click();
  expect((await downloaded).suggestedFilename()).toBe(`receipt-${orderNumber}.pdf`);
  await downloadsProof(page, orderNumber, faults);
  await page.getByLabel("Order Number").focus();
  await groSays(product.url, orderNumber, "dispatched");
  await history(page, "We have completed our part of your order").waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: "We have completed our part of your order." })
    .waitFor({ state: "attached" });
  expect(await page.getByLabel("Order Number").evaluate(isFocused)).toBe(true);
  expect(loads).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

/** Until the log is signed, the page says when to come back. */
async function downloadsProof(page: Page, orderNumber: string, faults: string[]): Promise<void> {
  const address = `**/api/orders/lookup/${orderNumber}/order.tlog-proof`;
  const title = "The proof is not ready yet: please try again in a minute.";
  await page.route(address, (route) => route.fulfill({ status: 409, json: { title } }), { times: 1 });
  await page.getByRole("button", { name: "Download the proof" }).click();
  await page.getByRole("status").getByText(title).waitFor();
  expect(faults.splice(0).filter((fault) => !fault.includes("409"))).toEqual([]);
  const name = "deletion-afb9b7ac.tlog-proof";
  const headers = { "Content-Disposition": `attachment; filename="${name}"` };
  await page.route(address, (route) => route.fulfill({ headers, body: "a proof" }), { times: 1 });
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the proof" }).click();
  expect((await downloaded).suggestedFilename()).toBe(name);
  await page.getByRole("status").getByText("Proof downloaded.").waitFor();
}

it("says what to do about a certificate in the post, and lets its holder alone report the arrival, once", async () => {
  const { page, context, faults, orderNumber } = await tracked("arrived@example.org");
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  await groSays(product.url, orderNumber, "dispatched");
  await history(page, "We have completed our part of your order").waitFor();
  await page.getByRole("heading", { name: "Has it arrived?" }).waitFor();
  await page.getByRole("heading", { name: "Your certificate is on its way" }).waitFor();
  await page.getByText(/If it has not arrived by \w+day \d+ \w+, write to us\. From then on/).waitFor();
  await expectAccessible(page, "tracking, in the post");
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page, "tracking, in the post");
  const stranger = await newVisitor(browser, product.url);
  await stranger.page.goto(`/lookup?order=${orderNumber}`);
  await stranger.page.getByRole("heading", { name: "If it has not arrived" }).waitFor();
  expect(await stranger.page.getByRole("button", { name: "It Arrived" }).count()).toBe(0);

  await page.reload();
  const arrived = page.getByRole("heading", { name: "Your certificate has arrived" });
  // The page hears of the arrival before the report of it is answered, as it may.
  const answerLate = async (route: Route) => {
    const response = await route.fetch();
    await arrived.waitFor();
    await route.fulfill({ response });
  };
  await page.route("**/arrival", answerLate, { times: 1 });
  await page.getByRole("button", { name: "It Arrived" }).dblclick();
  await arrived.waitFor();
  const heading = page.getByRole("heading", { name: /^Order / });
  await expect.poll(() => heading.evaluate(isFocused)).toBe(true);
  await page.getByText(/You told us on \w+day \d+ \w+\. Thank you: this order is now closed\./).waitFor();
  const reported = history(page, "You told us that your certificate has arrived");
  await expect.poll(() => reported.count()).toBe(1);
  await expectAccessible(page, "tracking, arrived");
  // Another page learns of it by itself.
  await stranger.page.getByRole("heading", { name: "Your certificate has arrived" }).waitFor();
  await stranger.context.close();
  await page.reload();
  await arrived.waitFor();
  expect(await reported.count()).toBe(1);
  expect(await page.getByRole("heading", { name: "Has it arrived?" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("starts another order with the same contact and choices, and asks for the person alone", async () => {
  const { page, context, faults } = await tracked("again@example.org");
  await page.getByRole("button", { name: "Order Another Like This" }).dblclick();
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(page.url()).toBe(`${product.url}/order`);
  expect(await page.getByLabel("Surname at birth").inputValue()).toBe("");
  await wizard.fillBirth(page);
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  await page.getByText("again@example.org").first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("asks before another order replaces an unfinished one in the tab", async () => {
  const { page, context, faults } = await tracked("unfinished@example.org");
  const tracking = page.url();
  await wizard.chooseDocument(page, "Death");
  await wizard.fillYourDetails(page, "unfinished@example.org");
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  await page.goto(tracking);
  await page.getByRole("button", { name: "Order Another Like This" }).click();
  const question = page.getByRole("heading", { name: "You have an unfinished order in this tab" });
  await question.waitFor();
  expect(await question.evaluate(isFocused)).toBe(true);
  await expectAccessible(page, "tracking, asked about the unfinished order");
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page, "tracking, asked about the unfinished order");
  await page.getByRole("button", { name: "Continue the Unfinished Order" }).click();
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  await page.goto(tracking);
  await page.getByRole("button", { name: "Order Another Like This" }).click();
  await page.getByRole("button", { name: "Start Another Order" }).click();
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("says nothing of updating by itself when it cannot, and still looks when it is asked", async () => {
  const { page, context, orderNumber } = await tracked("alone@example.org");
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  await page.route(/\/updates$/, (route) => route.fulfill({ status: 429, body: "" }));
  await page.reload();
  await page.getByText("With Home Office").waitFor();
  await groSays(product.url, orderNumber, "dispatched");
  await vi.waitFor(
    async () => {
      await page.getByRole("button", { name: "Check again" }).click();
      expect(await history(page, "We have completed our part of your order").count()).toBe(1);
    },
    { ...soon, interval: 500 },
  );
  expect(await page.getByText("This page updates automatically.").count()).toBe(0);
  await context.close();
});

/**
 * Opens the application to change it. While an attempt to send it is under way the request is refused; then it tries
 * again, and drops the refusal from `faults`.
 */
async function openForm(page: Page, faults: string[]): Promise<void> {
  const closed = page.getByRole("heading", { name: "You can’t change this here" });
  await vi.waitFor(async () => {
    const before = faults.length;
    await page.getByRole("link", { name: "change it" }).click();
    await page
      .getByRole("heading", { level: 1, name: "Whose birth certificate is it?" })
      .or(closed)
      .waitFor();
    if (!(await closed.isVisible())) return;
    faults.splice(before);
    await page.getByRole("link", { name: "Return to order" }).click();
    throw new Error("An attempt to send it was under way.");
  }, soon);
}

it("changes an application that has not been sent, and shows it as it was entered", async () => {
  await groWill(product.url, "reject");
  const { page, context, faults } = await tracked("amend@example.org");
  await openForm(page, faults);
  await expect.poll(() => page.getByLabel("Place of birth").inputValue()).toBe("Aberystwyth");
  await expectAccessible(page, "amending");
  await expectNoSidewaysScroll(page, "amending");
  await page.getByLabel("Place of birth").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByRole("link", { name: "Place of birth is required" }).waitFor();
  await page.getByLabel("Place of birth").fill("Hwlffordd");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("We’ll send what you entered to the General Register Office.").waitFor();
  await openForm(page, faults);
  await expect.poll(() => page.getByLabel("Place of birth").inputValue()).toBe("Hwlffordd");
  expect(
    await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])),
  ).not.toContain("Hwlffordd");
  await page.getByRole("link", { name: "Cancel and return to order" }).click();
  await page.getByRole("heading", { name: "Look Up Your Order" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

const asked =
  "Which Bangor?\nThere are two entries, and_this_reference_is_a_very_long_word_without_any_place_to_break_it.";
const isTranslated = (element: Element): boolean => element instanceof HTMLElement && element.translate;

it("answers the GRO's question by entering the details again", async () => {
  const { page, context, faults, orderNumber } = await tracked("question@example.org");
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  await groSays(product.url, orderNumber, "queried", asked);
  const heading = { name: "The General Register Office has a question" };
  await page.getByRole("heading", heading).waitFor();
  const question = page.getByRole("blockquote");
  expect(await question.innerText()).toBe(asked);
  expect(await question.evaluate(isTranslated)).toBe(true);
  await expectAccessible(page, "tracking, a question");
  await page.setViewportSize({ width: 320, height: 900 });
  await expectNoSidewaysScroll(page, "tracking, a question");
  const stranger = await newVisitor(browser, product.url);
  await stranger.page.goto(`/lookup?order=${orderNumber}`);
  await stranger.page.getByText("has a question about your application").waitFor();
  expect(await stranger.page.content()).not.toContain("Which Bangor");
  await stranger.context.close();
  const [mail] = await vi.waitFor(async () => {
    const found = (await mailsTo(product.url, "question@example.org")).filter(({ subject }) =>
      subject.startsWith("The GRO has a question"),
    );
    expect(found).toHaveLength(1);
    return found;
  }, soon);
  expect(mail?.text).not.toContain("Which Bangor");
  const promised = await page.getByRole("heading", { name: "Waiting for your answer" }).count();
  expect(promised).toBe(1);
  await page.getByRole("link", { name: "Enter the Details Again" }).click();
  await page.getByRole("heading", { level: 1, name: "Whose birth certificate is it?" }).waitFor();
  expect(await question.innerText()).toBe(asked);
  await expectNoSidewaysScroll(page, "answering a question");
  await expectAccessible(page, "answering a question");
  expect(await page.getByLabel("Place of birth").inputValue()).toBe("");
  await wizard.fillBirth(page, "Send Answer");
  await page.getByText("We’ll send what you entered to the General Register Office.").waitFor();
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(2), soon);
  await page.getByRole("heading", { name: "Expected despatch by" }).waitFor();
  expect(await question.count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("sends the confirmation to another address when the first does not exist, and only then the application", async () => {
  const { page, context, faults, orderNumber } = await tracked("nobody@bounce.example");
  await page.getByRole("heading", { name: "Our confirmation didn’t reach you" }).waitFor();
  await expectAccessible(page, "tracking, another address");
  await page.getByRole("button", { name: "Send Confirmation Again" }).click();
  await page.getByText("Please enter a valid email address").waitFor();
  await page.getByLabel("Email").fill("somebody@gmial.com");
  await page.getByRole("button", { name: "Use somebody@gmail.com" }).click();
  expect(await page.getByLabel("Email").inputValue()).toBe("somebody@gmail.com");
  await page.getByLabel("Email").fill("somebody@example.org");
  expect(await receivedByGro(product.url, orderNumber)).toHaveLength(0);
  await page.getByRole("button", { name: "Send Confirmation Again" }).click();
  await vi.waitFor(
    async () => expect(await mailsTo(product.url, "somebody@example.org")).not.toHaveLength(0),
    soon,
  );
  await history(page, /sent to the General Register Office/).waitFor();
  expect(await page.getByRole("heading", { name: "Our confirmation didn’t reach you" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("lets its holder alone cancel, and tells of the refund", async () => {
  await groWill(product.url, "reject");
  const { page, context, faults, orderNumber } = await tracked("cancel@example.org");
  const stranger = await newVisitor(browser, product.url);
  await stranger.page.goto(`/lookup?order=${orderNumber}&change=application`);
  await stranger.page.getByRole("heading", { name: "You can’t change this here" }).waitFor();
  await stranger.page.getByRole("link", { name: "Return to order" }).click();
  await stranger.page.getByText("With Home Office").waitFor();
  expect(await stranger.page.getByRole("button", { name: "Cancel Order" }).count()).toBe(0);
  await stranger.context.close();

  const cancel = page.getByRole("button", { name: "Cancel Order", exact: true });
  await cancel.press("Enter");
  const question = page.getByRole("group", { name: /We’ll refund everything you have paid for it\./ });
  await expect.poll(() => question.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => cancel.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await history(page, "Your order was cancelled").waitFor();
  await history(page, "We refunded £45.00").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("corrects every contact detail until the application is sent, from what was entered", async () => {
  await groWill(product.url, "reject");
  const { page, context, faults } = await tracked("contact@example.org");
  await page.getByRole("link", { name: "Correct your contact details" }).click();
  await page.getByRole("heading", { level: 1, name: "Correct your contact details" }).waitFor();
  await page.getByLabel("Town/City").waitFor();
  expect(await page.getByLabel("Title").inputValue()).toBe("Mrs");
  expect(await page.getByLabel("Last name").inputValue()).toBe("Rhys");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("contact@example.org");
  await expectAccessible(page, "correcting the contact");
  await page.getByLabel("Address line 1").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByRole("link", { name: "Address line 1 is required" }).waitFor();
  await page.getByLabel("Address line 1").fill("2 Stryd Fawr");
  await page.getByLabel("Evening phone").fill("01970 111111");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("We have corrected your contact details.").waitFor();
  await page.getByRole("link", { name: "Correct your contact details" }).click();
  await expect.poll(() => page.getByLabel("Address line 1").inputValue()).toBe("2 Stryd Fawr");
  expect(await page.getByLabel("Evening phone").inputValue()).toBe("01970 111111");
  expect(faults).toEqual([]);
  await context.close();
});

it("corrects how a customer is reached once the application is sent, and says why no more", async () => {
  const { page, context, faults } = await tracked("reach@example.org");
  await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor();
  await page.getByRole("link", { name: "Correct your contact details" }).click();
  await page.getByText(/may already have your name and postal address/).waitFor();
  expect(await page.getByLabel("Address line 1").count()).toBe(0);
  await page.getByLabel("Daytime phone").fill("01970 222222");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("We have corrected your contact details.").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("says that a cancellation waits for what became of the application, and what follows, as it happens", async () => {
  // The outcome stays open until the GRO asks its question, however long this takes.
  await groWill(product.url, "silent");
  const { page, context, faults, orderNumber } = await tracked("open@example.org");
  await vi.waitFor(async () => expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1), soon);
  await page.getByRole("button", { name: "Cancel Order" }).click();
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await page.getByRole("heading", { name: "We have been asked to cancel this order" }).waitFor();
  expect(await page.getByText(/Expected despatch by/).count()).toBe(0);
  await expectAccessible(page, "tracking, a cancellation asked for");
  // A question of the GRO's proves that the application arrived.
  await groSays(product.url, orderNumber, "queried");
  await page.getByText(/Waiting for your answer/).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: "It was too late to cancel" })
    .waitFor({ state: "attached" });
  expect(faults).toEqual([]);
  await context.close();
});

it("emails links to the orders of an address, and says the same where there are none", async () => {
  const { context, orderNumber } = await tracked("links@example.org");
  await context.close();
  const { page, faults, ...visitor } = await newVisitor(browser, product.url, 320);
  await page.goto("/lookup");
  const ask = async (email: string) => {
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Email Me Links" }).click();
    const said = page.getByRole("status").filter({ hasText: "Check your email" });
    await said.waitFor();
    await expect.poll(() => said.evaluate(isFocused)).toBe(true);
    return said.innerText();
  };
  await page.getByText("I don’t have my order number").press("Enter");
  await expectAccessible(page, "finding orders by email");
  await expectNoSidewaysScroll(page, "finding orders by email");
  await page.getByRole("button", { name: "Email Me Links" }).click();
  await page.getByText("Please enter a valid email address").waitFor();
  const words = await ask("nobody.at.all@example.org");
  await expectAccessible(page, "orders by email asked for");
  await page.getByRole("button", { name: "Use another address" }).click();
  expect(await ask("links@example.org")).toBe(words);
  expect(words).not.toContain(orderNumber);

  const mail = await vi.waitFor(async () => {
    const found = (await mailsTo(product.url, "links@example.org")).find(({ subject }) =>
      subject.startsWith("A link to your order"),
    );
    if (!found) throw new Error("No mail with links has come yet.");
    return found;
  }, soon);
  expect(mail.text).toContain(orderNumber);
  expect(await mailsTo(product.url, "nobody.at.all@example.org")).toEqual([]);
  // The link makes its reader a holder, as the one in every other email about the order does.
  await page.goto(/Open this order:\s+(\S+)/.exec(mail.text)?.[1] ?? "");
  await page.getByRole("link", { name: "Correct your contact details" }).waitFor();
  expect(faults).toEqual([]);
  await visitor.context.close();
});
