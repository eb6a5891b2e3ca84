import type { APIResponse, Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { mailsTo, postFromOwnAddress } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { confirm, openAction, signInAs } from "../../testing/browser/staff.ts";
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

interface Ticket {
  readonly number: string;
  /** The customer's private link. */
  readonly link: string;
  readonly email: string;
}

let writers = 0;
async function post(path: string, body: object): Promise<Record<string, string>> {
  const send = () => postFromOwnAddress(product.url + path, body, writers);
  let answer = await send();
  await vi.waitFor(
    async () => {
      if (answer.status === 429) answer = await send();
      expect(answer.status, `${path}: ${answer.body}`).toBeLessThan(300);
    },
    { ...soon, interval: 2_000 },
  );
  return JSON.parse(answer.body);
}

/** A ticket of a customer of its own. */
async function openTicket(category = "question", changes: object = {}): Promise<Ticket> {
  const email = `siân.${++writers}@example.org`.normalize("NFD").replace(/\p{M}/gu, "");
  const { ticketNumber = "", link = "" } = await post("/api/tickets", {
    name: "Siân Rhŷs-Żak",
    email,
    category,
    subject: `Llythyr ${writers}`,
    message: "Ydy tystysgrifau'n cyrraedd ar ddydd Sadwrn?",
    ...changes,
  });
  return { number: ticketNumber, link, email };
}

/** An order of a ticket's customer, not yet paid. */
async function openOrder({ email }: Ticket): Promise<{ readonly orderNumber: string }> {
  const { orderNumber = "" } = await post("/api/orders", {
    companyName: "",
    email: email,
    contactFullName: "Siân Rhŷs-Żak",
    contactAddress: JSON.stringify({
      Address1: "1 Heol",
      Address2: "",
      Town: "Aberystwyth",
      County: "Ceredigion",
      Country: "United Kingdom",
      PostCode: "SY23 1AA",
    }),
    contactPhone: JSON.stringify({ Daytime: "01970 000000", Evening: "" }),
    totalAmount: 45,
    signature: "Siân Rhŷs-Żak",
    termsVersion: 2,
    consentVersion: 1,
  });
  return { orderNumber };
}

const customerWrites = ({ link }: Ticket, message: string) =>
  post("/api/tickets/replies", { key: new URL(link).hash.replace("#key=", ""), message });

interface OrderDependencies {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
}

async function staffAt(path: string, who: "staff" | "otherStaff" | "compliance" = "staff", width = 1280) {
  const deps: OrderDependencies = await newVisitor(browser, product.url, width);
  await deps.page.goto("/");
  await signInAs(deps.page, who);
  await deps.page.goto(path);
  return deps;
}

const ticketPath = ({ number }: Ticket): string => `/accessadmin/tickets/${number}`;
const conversation = (page: Page) => page.getByRole("list", { name: "Conversation" });

async function writeReply(page: Page, text: string, press: string): Promise<void> {
  await page.getByLabel("Your reply").fill(text);
  await page.getByRole("button", { name: press }).click();
}

async function writeNote(page: Page, text: string): Promise<void> {
  await page.getByRole("radio", { name: "Internal note" }).check({ force: true });
  await page.getByLabel("Your note").fill(text);
  await page.getByRole("button", { name: "Save note" }).click();
}

it("lists tickets to answer without names or subjects, with keyboard, views, and filters in the URL", async () => {
  const [question, request] = [await openTicket("question"), await openTicket("dataRequest")];
  const { page, context, faults } = await staffAt("/accessadmin/tickets");
  const table = page.getByRole("table", { name: "Tickets that need an answer" });
  await table.getByRole("link", { name: question.number }).waitFor();
  const row = table.getByRole("row").filter({ hasText: request.number });
  expect(await row.innerText()).toMatch(/Answer within \d+ days/);
  expect(await page.locator("main").innerText()).not.toMatch(/Siân|Llythyr|example\.org|Sadwrn/);
  await expectAccessible(page, "the inbox");

  await page.getByLabel("About").selectOption({ label: "Personal data" });
  await page.getByRole("button", { name: "Remove the filter About: Personal data" }).waitFor();
  expect(new URL(page.url()).search).toContain("category=dataRequest");
  await table.getByRole("link", { name: question.number }).waitFor({ state: "detached" });
  await page.getByLabel("Assigned to").selectOption({ label: "Me" });
  await page.getByText("No tickets match these filters.").waitFor();
  await expectAccessible(page, "an inbox where nothing fits");
  await page.getByRole("button", { name: "Clear all" }).click();

  await page
    .getByRole("navigation", { name: "Views" })
    .getByRole("link", { name: /Statutory/ })
    .click();
  await page.getByRole("table", { name: "Tickets with a statutory deadline" }).waitFor();
  await page.getByRole("link", { name: request.number }).waitFor();
  expect(await page.getByRole("link", { name: question.number }).count()).toBe(0);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^T-/, level: 1 }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("shows a new ticket automatically, and access in its history", async () => {
  const { page, context, faults } = await staffAt("/accessadmin/tickets");
  await page.getByRole("table", { name: "Tickets that need an answer" }).waitFor();
  const ticket = await openTicket();
  await page.getByRole("link", { name: ticket.number }).click();
  await page.getByRole("heading", { name: `Llythyr ${writers}` }).waitFor();
  await page.getByText(ticket.email).waitFor();
  const history = page.getByRole("region", { name: "History" });
  expect(await history.getByText("Read the conversation to answer it").count()).toBe(1);
  await page.reload();
  await page.getByText(ticket.email).waitFor();
  expect(await history.getByText("Read the conversation to answer it").count()).toBe(1);
  await expectAccessible(page, "a ticket");
  expect(faults).toEqual([]);
  await context.close();
});

it("sends a reply that the customer is emailed about and reads; a note is visible to staff only", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  await writeNote(page, "Rang us; a kind voice.");
  await page.getByText("Note saved.").waitFor();
  await page.getByRole("radio", { name: "Reply to the customer" }).check({ force: true });
  await page.getByRole("button", { name: "Send and wait" }).click();
  await page.getByRole("alert").filter({ hasText: "Write your reply first." }).waitFor();
  await writeReply(page, "Ydyn, gan amlaf.", "Send and wait");
  await page.getByText("Sent. We have emailed the customer").waitFor();
  expect(await page.getByLabel("Your reply").inputValue()).toBe("");
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/gan amlaf|kind voice/);
  const note = conversation(page).getByRole("listitem").filter({ hasText: "kind voice" });
  expect(await note.innerText()).toContain("never shown to the customer");
  await page.getByText("Waiting for customer").first().waitFor();
  await expectAccessible(page, "a conversation with replies and notes");

  const customer = await newVisitor(browser, product.url, 320);
  await customer.page.goto(ticket.link);
  await customer.page.getByText("Ydyn, gan amlaf.").waitFor();
  expect(await customer.page.locator("body").innerText()).not.toContain("kind voice");
  await vi.waitFor(async () => {
    const mails = await mailsTo(product.url, ticket.email);
    expect(mails.map(({ subject }) => subject).join()).toContain("We have replied to your message");
    expect(mails.map(({ text }) => text).join()).not.toMatch(/gan amlaf|kind voice/);
  }, soon);
  expect([...faults, ...customer.faults]).toEqual([]);
  await Promise.all([context.close(), customer.context.close()]);
});

it("keeps the draft when the customer writes meanwhile: refused once, marked as new, then sent", async () => {
  const ticket = await openTicket();
  const { page, context } = await staffAt(ticketPath(ticket));
  // Until it is refused, the page sees the ticket as it first was.
  let first: Promise<APIResponse> | undefined;
  await page.route("**/open", async (route) => {
    first ??= route.fetch();
    await route.fulfill({ response: await first });
  });
  await page.reload();
  await page.getByLabel("Your reply").fill("Ydyn.");
  await customerWrites(ticket, "Anghofiwch fy nghwestiwn.");
  await page.getByRole("button", { name: "Send and close…" }).click();
  const asking = page.getByRole("dialog");
  await asking.getByRole("button", { name: "Send and close" }).click();
  await asking.waitFor({ state: "hidden" });
  await page.getByRole("alert").filter({ hasText: "This ticket changed while you were working" }).waitFor();
  expect(await page.getByLabel("Your reply").inputValue()).toBe("Ydyn.");
  await page.unroute("**/open");
  await page.getByRole("button", { name: "Send and wait" }).click();
  const fresh = conversation(page).getByRole("listitem").filter({ hasText: "Anghofiwch" });
  await fresh.getByText("New", { exact: true }).waitFor();
  await expectAccessible(page, "a conflict");
  // If the update arrived before that press, the reply has been sent already.
  const sent = page.getByText("Sent. We have emailed the customer");
  if (!(await sent.isVisible())) await page.getByRole("button", { name: "Send and wait" }).click();
  await sent.waitFor();
  expect(await page.getByText("Send and close: done.").count()).toBe(0);
  expect(await conversation(page).getByRole("listitem").count()).toBe(3);
  await context.close();
});

it("updates while the user types, and keeps a draft through a reload", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  const reply = page.getByLabel("Your reply");
  await reply.fill("Annwyl Siân,");
  await customerWrites(ticket, "Un peth arall.");
  await conversation(page).getByText("Un peth arall.").waitFor();
  expect(await reply.inputValue()).toBe("Annwyl Siân,");
  await page.reload();
  await reply.waitFor();
  expect(await reply.inputValue()).toBe("Annwyl Siân,");
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    "Un peth arall",
  );
  expect(faults).toEqual([]);
  await context.close();
});

it("sends a reply once, even if its answer is lost and the page shows it before the next press", async () => {
  const ticket = await openTicket();
  const { page, context } = await staffAt(ticketPath(ticket));
  const replies = conversation(page).getByRole("listitem").filter({ hasText: "Ydyn, bob dydd." });
  await page.route(
    "**/reply",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await writeReply(page, "Ydyn, bob dydd.", "Send and wait");
  await page.getByRole("alert").filter({ hasText: "There was no response." }).waitFor();
  await replies.waitFor();
  await page.getByRole("button", { name: "Send and wait" }).click();
  await page.getByText("Sent. We have emailed the customer").waitFor();
  expect(await replies.count()).toBe(1);
  await context.close();
});

it("inserts a canned answer at the cursor and lists what is left to fill in", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  await page.getByLabel("Your reply").fill("PS: diolch.");
  await page.getByLabel("Your reply").evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0));
  await page.getByLabel("Canned answer").selectOption({ label: "Where is my order?" });
  const text = await page.getByLabel("Your reply").inputValue();
  expect(text).toMatch(/^Dear Siân Rhŷs-Żak,[\s\S]*Kith & Copy[\s\S]*PS: diolch\.$/);
  await page.getByText(/Fill in by hand: the order number/).waitFor();
  await page.getByRole("button", { name: "Send and wait" }).click();
  await page.getByRole("alert").filter({ hasText: "Fill in first: the order number" }).waitFor();
  await page.getByLabel("Your reply").fill(text.replaceAll(/\{\{\w+\}\}/g, "…"));
  await page.getByText(/Fill in by hand/).waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await context.close();
});

it("moves nothing under a finger when the canned answers come", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt("/accessadmin/tickets");
  const held = Promise.withResolvers<void>();
  await page.route("**/canned-answers", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(ticketPath(ticket));
  const button = page.getByRole("button", { name: "Send and wait" });
  await button.waitFor();
  const before = await button.boundingBox();
  held.resolve();
  await expect.poll(() => page.getByLabel("Canned answer").isEnabled()).toBe(true);
  expect(await button.boundingBox()).toEqual(before);
  expect(faults).toEqual([]);
  await context.close();
});

it("files a ticket under another category, and shows its deadline", async () => {
  const ticket = await openTicket("question");
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  const state = page.getByRole("region", { name: "State" });
  await state.getByLabel("File under").selectOption("Personal data");
  await state.getByText(/must be answered within/).waitFor();
  await page.getByText("Filed under “Personal data”").waitFor();
  await expectAccessible(page, "a ticket filed under another category");
  expect(faults).toEqual([]);
  await context.close();
});

it("assigns a ticket, closes it after confirmation, and reopens it", async () => {
  const ticket = await openTicket("cancellation");
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  const state = page.getByRole("region", { name: "State" });
  await state.getByText("Refund within 14 days").waitFor();
  await state.getByRole("button", { name: "Assign to me" }).click();
  await state.getByRole("button", { name: "Unassign me" }).waitFor();
  await state.getByText("you", { exact: true }).waitFor();

  await state.getByRole("button", { name: "Close…" }).click();
  const dialog = page.getByRole("dialog", { name: "Close this ticket?" });
  await dialog.getByText(/destroyed 365 days after closing/).waitFor();
  await expectAccessible(page, "the question before closing");
  await page.keyboard.press("Escape");
  await page.getByText("Needs an answer").first().waitFor();
  await state.getByRole("button", { name: "Close…" }).click();
  await dialog.getByRole("button", { name: "Close ticket" }).click();
  await state.getByText("Dealt with in time").waitFor();
  await page.getByText("Closed.", { exact: true }).waitFor();
  await state.getByRole("button", { name: "Reopen" }).click();
  await state.getByText("Needs an answer").waitFor();

  await page.getByRole("button", { name: "Send and close…" }).click();
  await page.getByRole("alert").filter({ hasText: "Write your reply first." }).waitFor();
  await page.getByLabel("Your reply").fill("Wedi'i ganslo.");
  await page.getByRole("button", { name: "Send and close…" }).click();
  await page
    .getByRole("dialog", { name: "Send the reply and close?" })
    .getByRole("button", { name: "Send and close" })
    .click();
  await page.getByText("Sent and closed.").waitFor();
  await state.getByText("Closed", { exact: true }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("links an order by its number, explains why a wrong one is refused, and shows the order's status", async () => {
  const ticket = await openTicket("order");
  const { page, context } = await staffAt(ticketPath(ticket));
  const order = page.getByRole("region", { name: "Order" });
  for (const [typed, words] of [
    ["12345", "Enter a valid order number"],
    ["0000-0000-00000", "There is no order with this number"],
  ] as const) {
    await order.getByLabel("Order number").fill(typed);
    await order.getByRole("button", { name: "Link", exact: true }).click();
    await order.getByRole("alert").filter({ hasText: words }).waitFor();
    expect(await order.getByLabel("Order number").inputValue()).toBe(typed);
  }
  await expectAccessible(page, "a wrong order number");
  const { orderNumber } = await openOrder(ticket);
  await order.getByLabel("Order number").fill(orderNumber.toLowerCase());
  await order.getByRole("button", { name: "Link", exact: true }).click();
  await order.getByRole("link", { name: orderNumber }).waitFor();
  await order.getByText("Pending").waitFor();
  await context.close();
});

it("shows at once how the linked order stands", async () => {
  const ticket = await openTicket("order");
  const { orderNumber } = await openOrder(ticket);
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  const order = page.getByRole("region", { name: "Order" });
  await order.getByLabel("Order number").fill(orderNumber);
  await order.getByRole("button", { name: "Link", exact: true }).click();
  await order.getByText("Pending").waitFor();
  const colleague = await staffAt(`/accessadmin/orders/${orderNumber}`, "otherStaff");
  await openAction(colleague.page, "Cancel order");
  await confirm(colleague.page, "Cancel order");
  await order.getByText("Cancelled").first().waitFor();
  expect([...faults, ...colleague.faults]).toEqual([]);
  await Promise.all([context.close(), colleague.context.close()]);
});

it("replaces the private link after confirmation: the customer is sent the new one, the old one stops working", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt(ticketPath(ticket));
  await page.getByRole("button", { name: "Replace private link…" }).click();
  await page
    .getByRole("dialog", { name: "Replace the private link?" })
    .getByRole("button", { name: "Replace link" })
    .click();
  await page.getByText("We are emailing the new link").waitFor();
  await vi.waitFor(
    async () =>
      expect((await mailsTo(product.url, ticket.email)).map(({ subject }) => subject).join()).toContain(
        "Your new private link",
      ),
    soon,
  );
  const stranger = await newVisitor(browser, product.url);
  await stranger.page.goto(ticket.link);
  await stranger.page.getByText("This link does not open a conversation.").waitFor();
  expect(faults).toEqual([]);
  await Promise.all([context.close(), stranger.context.close()]);
});

it("sends the first of two colleagues' answers; the other sees it before sending theirs", async () => {
  const ticket = await openTicket();
  const [ann, ben] = [await staffAt(ticketPath(ticket)), await staffAt(ticketPath(ticket), "otherStaff")];
  await ann.page.getByLabel("Your reply").fill("Ateb Ann.");
  await ben.page.getByLabel("Your reply").fill("Ateb Ben.");
  await ann.page.getByRole("button", { name: "Send and wait" }).click();
  await ann.page.getByText("Sent. We have emailed the customer").waitFor();
  const seen = conversation(ben.page).getByRole("listitem").filter({ hasText: "Ateb Ann." });
  await seen.getByText("New", { exact: true }).waitFor();
  expect(await seen.innerText()).toContain("Robin Ellis");
  expect(await ben.page.getByLabel("Your reply").inputValue()).toBe("Ateb Ben.");
  expect([...ann.faults, ...ben.faults]).toEqual([]);
  await Promise.all([ann.context.close(), ben.context.close()]);
});

it("says when a ticket does not exist, could not be opened, or is closed to the role", async () => {
  const ticket = await openTicket();
  const { page, context } = await staffAt("/accessadmin/tickets/T-0000-0000-00000");
  await page.getByText("There is no ticket with this number.").waitFor();
  await expectAccessible(page, "no such ticket");
  await page.route("**/open", (route) => route.abort());
  await page.goto(ticketPath(ticket));
  await page.getByText("The ticket could not be loaded.").waitFor();
  await expectAccessible(page, "a ticket that could not be opened");
  await page.unroute("**/open");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText(ticket.email).waitFor();
  await context.close();
  const auditor = await staffAt(ticketPath(ticket), "compliance");
  await auditor.page.getByText("Your role does not have access to this page.").waitFor();
  await auditor.context.close();
});

it("shows a complaint with an undeliverable acknowledgement until it is acknowledged otherwise", async () => {
  const ticket = await openTicket("dataProtectionComplaint", { email: "nobody@bounce.example" });
  const { page, context, faults } = await staffAt("/accessadmin/tickets?view=due");
  await page.getByRole("status").filter({ hasText: "not emailed and must" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: ticket.number });
  await row.getByText("not emailed").waitFor();
  await row.getByText("Undelivered", { exact: true }).waitFor();
  await row.getByRole("link").click();
  const task = page.getByRole("region", { name: "Acknowledgement" });
  await task.getByText("The email acknowledging this complaint could not be delivered.").waitFor();
  await expectAccessible(page, "a complaint with an undeliverable acknowledgement");
  await task.getByRole("button", { name: "Acknowledged by letter" }).click();
  await task.waitFor({ state: "detached" });
  await page.getByText("Acknowledged in time").first().waitFor();
  await page.getByText("Acknowledged by letter").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("asks for another acknowledgement of a complaint that no email acknowledges", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt("/accessadmin/tickets");
  // As where an automatic mail opened it: the server's tests cover its answer, this one the page.
  await page.route("**/open", async (route) => {
    const response = await route.fetch();
    const acknowledgement = { by: "2026-12-22", state: "owed", needed: true };
    await route.fulfill({ response, json: { ...(await response.json()), acknowledgement } });
  });
  await page.goto(ticketPath(ticket));
  const task = page.getByRole("region", { name: "Acknowledgement" });
  await task.getByText("No email acknowledges this complaint.").waitFor();
  await task.getByRole("button", { name: "Acknowledged by phone" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("shows a receipt for a destroyed conversation, and no editor", async () => {
  const ticket = await openTicket();
  const { page, context, faults } = await staffAt("/accessadmin/tickets");
  // A ticket is destroyed a year after closing: the server's tests cover its answer, this one the page.
  await page.route("**/open", async (route) => {
    const response = await route.fetch();
    const { conversation: entries, ...answer } = await response.json();
    const purge = {
      purgedAt: "2027-11-21T09:30:00.000Z",
      destroyed: ["ticketContact", "ticketMessage"],
      rule: "retention",
      records: 2,
      keyFingerprint: "ab".repeat(32),
      probe: "unreadable",
    };
    const destroyed = entries.map((entry: object) => ({ ...entry, text: null }));
    const gone = { contact: null, subject: null, status: "Closed", purge, conversation: destroyed };
    await route.fulfill({ response, json: { ...answer, ...gone } });
  });
  await page.goto(ticketPath(ticket));
  await page
    .getByRole("region", { name: "Certificate of deletion" })
    .getByText("nothing could be read")
    .waitFor();
  await page.getByText("Subject destroyed").waitFor();
  await conversation(page).getByText("destroyed", { exact: true }).waitFor();
  for (const words of [/Send/, /Close/, /Assign to me/, /Replace/, /Link/])
    expect(await page.getByRole("button", { name: words }).count(), String(words)).toBe(0);
  await expectAccessible(page, "a ticket that was destroyed");
  expect(faults).toEqual([]);
  await context.close();
});

it.each([320, 768, 1280])("fits %i px, and is accessible", async (width) => {
  const ticket = await openTicket("dataProtectionComplaint", {
    email: `nobody.${width}@bounce.example`,
    message: `${"Cwyn ".repeat(60)}${"x".repeat(90)}`,
  });
  const { page, context, faults } = await staffAt("/accessadmin/tickets", "staff", width);
  const row = page.getByRole("row").filter({ hasText: ticket.number });
  await row.getByText("not emailed").waitFor();
  await expectNoSidewaysScroll(page, `the inbox at ${width}`);
  await expectAccessible(page, `the inbox at ${width}`);
  await page.goto(ticketPath(ticket));
  await page.getByLabel("Your reply").waitFor();
  await expectNoSidewaysScroll(page, `a ticket at ${width}`);
  await expectAccessible(page, `a ticket at ${width}`);
  const { width: area, height } = (await page.getByLabel("Your reply").boundingBox()) ?? {};
  expect(height).toBe(300);
  expect(area).toBeGreaterThan(width === 320 ? 280 : 600);
  expect(faults).toEqual([]);
  await context.close();
});
