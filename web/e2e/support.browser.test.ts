import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  isInView,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { mailsTo } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
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

async function fillIn(page: Page, email: string, message: string): Promise<void> {
  await page.getByLabel("Your name").fill("Siân Rhŷs-Żak");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Subject").fill("Llythyr heb gyrraedd");
  await page.getByLabel("Message").fill(message);
}

async function openTicket(page: Page, email: string, message: string): Promise<string> {
  await page.goto("/support");
  await page.getByLabel("What is it about?").selectOption({ label: "An order I placed" });
  await fillIn(page, email, message);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  return page.getByText(/^T-[\w-]+$/).innerText();
}

/** The private link in the first mail to an address. */
async function mailedLink(email: string): Promise<string> {
  let found: string | undefined;
  await vi.waitFor(async () => {
    const [mail] = await mailsTo(product.url, email);
    found = /http\S+\/support\/view#key=[\w.~-]+/.exec(mail?.text ?? "")?.[0];
    expect(found).toBeDefined();
  }, soon);
  if (!found) throw new Error("The mail has no link.");
  return found;
}

it("asks about an address that looks mistyped, and takes the likely one with one press", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.goto("/support");
  const email = page.getByLabel("Email", { exact: true });
  await email.fill("sian@hotmial.co.uk");
  await page.getByRole("button", { name: "Use sian@hotmail.co.uk" }).click();
  expect(await email.inputValue()).toBe("sian@hotmail.co.uk");
  expect(await email.evaluate(isFocused)).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

it("leads from an error to its field, and shows the field's label with it", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await page.goto("/support");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("link", { name: "Message is required" }).click();
  const message = page.getByLabel("Message");
  expect(await message.evaluate(isFocused)).toBe(true);
  expect(await message.evaluate(isInView)).toBe(true);
  expect(await page.locator("label", { hasText: "Message" }).evaluate(isInView)).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

it("sends once what an impatient customer sends twice", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.goto("/support");
  await page.getByLabel("What is it about?").selectOption({ label: "An order I placed" });
  await fillIn(page, "twice@example.org", "Dwywaith");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  await page.getByRole("button", { name: "Send", exact: true }).dblclick();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  expect(sent).toEqual(["/api/tickets"]);
  expect(faults).toEqual([]);
  await context.close();
});

it("holds a conversation: the form, the mailed link that leaves the address bar, a reply, a reload", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const number = await openTicket(page, "sian@example.org", "Ble mae fy nhystysgrif?");
  await expectAccessible(page, "ticket opened");
  const link = await mailedLink("sian@example.org");

  const other = await newVisitor(browser, product.url, 320);
  await other.page.goto(link);
  await other.page.getByRole("heading", { level: 1, name: "Llythyr heb gyrraedd" }).waitFor();
  await page.getByRole("link", { name: "Open the conversation" }).click();
  await other.page.getByText(number).waitFor();
  await other.page.getByText("Ble mae fy nhystysgrif?").waitFor();
  await other.page.getByText("We will reply").waitFor();
  expect(new URL(other.page.url()).hash).toBe("");
  await expectAccessible(other.page, "the conversation");
  await expectNoSidewaysScroll(other.page, "the conversation");

  await other.page.getByRole("button", { name: "Send reply" }).click();
  await other.page.getByRole("link", { name: "Message is required" }).waitFor();
  await other.page.getByLabel("Your reply").fill("Diolch\nam eich ateb");
  await other.page.getByRole("button", { name: "Send reply" }).click();
  await other.page.getByText("We have received your reply.").waitFor();
  const messages = other.page.getByRole("list", { name: "Messages" }).getByRole("listitem");
  expect(await messages.count()).toBe(2);
  expect(await other.page.getByLabel("Your reply").inputValue()).toBe("");

  const check = page.getByRole("button", { name: "Check for a reply" });
  await check.click();
  await page.getByText("There is a new message.").waitFor();
  await page.getByText("Diolch").waitFor();
  await check.click();
  await page.getByText("There are no new messages.").waitFor();

  await other.page.reload();
  await other.page.getByText("am eich ateb").waitFor();
  await other.page.getByRole("button", { name: "Leave this conversation" }).click();
  await other.page.getByLabel("Ticket number").waitFor();
  expect([...faults, ...other.faults]).toEqual([]);
  await Promise.all([context.close(), other.context.close()]);
});

it("opens it by ticket number and email address too, and by nothing less", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  const number = await openTicket(page, "anwen@example.org", "Helo");
  await page.goto("/support/view");
  await page.getByRole("button", { name: "Open the conversation" }).click();
  await page.getByRole("link", { name: "Ticket number is required" }).waitFor();
  await page.getByRole("link", { name: "Please enter a valid email address" }).waitFor();
  await expectAccessible(page, "find a conversation, with errors");
  await page.getByLabel("Ticket number").fill(number.toLowerCase());
  await page.getByLabel("Email", { exact: true }).fill("somebody@example.org");
  await page.getByRole("button", { name: "Open the conversation" }).click();
  await page.getByText("We cannot find a conversation with that ticket number").waitFor();
  await page.getByLabel("Email", { exact: true }).fill("anwen@example.org");
  await page.getByRole("button", { name: "Open the conversation" }).click();
  await page.getByText("Helo").waitFor();
  await context.close();
});

it("replaces a link that others have: the old one opens nothing any more", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await openTicket(page, "mo@example.org", "Wedi gollwng y ddolen");
  const old = await mailedLink("mo@example.org");
  await page.getByRole("link", { name: "Open the conversation" }).click();
  await page.getByText("Wedi gollwng y ddolen").waitFor();
  await page.getByText("Does someone else have the link").click();
  await page.getByRole("button", { name: "Replace the link" }).click();
  await page.getByText("The old link no longer works.").waitFor();
  await page.getByRole("link", { name: "Open the new link" }).click();
  await page.getByText("Wedi gollwng y ddolen").waitFor();

  const stranger = await newVisitor(browser, product.url);
  await stranger.page.goto(old);
  await stranger.page.getByText("This link does not open a conversation.").waitFor();
  await Promise.all([context.close(), stranger.context.close()]);
});

it("says in words what a message lacks, keeps what was typed, and sends it once however often one presses", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/support");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  for (const message of [
    "Choose what your message is about",
    "Name is required",
    "Please enter a valid email address",
    "Subject is required",
    "Message is required",
  ]) {
    await summary.getByRole("link", { name: message }).waitFor();
  }
  await expectAccessible(page, "contact form with errors");
  await page.getByLabel("What is it about?").selectOption("other");
  await page.getByLabel("Order number (optional)").fill("nonsense");
  await fillIn(page, "twice@example.org", "Unwaith");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await summary.getByRole("link", { name: "Check the order number, or leave it blank" }).waitFor();
  await page.getByLabel("Order number (optional)").fill("");

  // The answer to the first sending is lost on the way.
  const tickets: string[] = [];
  await page.route("**/api/tickets", async (route) => {
    const answer = await route.fetch();
    tickets.push((await answer.json()).ticketNumber);
    await (tickets.length === 1 ? route.abort() : route.fulfill({ response: answer }));
  });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("We could not reach the server.").waitFor();
  expect(await page.getByLabel("Message").inputValue()).toBe("Unwaith");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  expect(tickets).toHaveLength(2);
  expect(new Set(tickets).size).toBe(1);
  await context.close();
});

it("can send nothing before the script has taken over, or what was typed would stand in the address", async () => {
  for (const path of ["/support", "/data-protection"]) {
    const html = await (await fetch(`${product.url}${path}`)).text();
    const [form = ""] = /<form[\s\S]*<\/form>/.exec(html) ?? [];
    expect(form, path).toMatch(/<button type="submit"[^>]* disabled=""/);
    expect(form, path).toMatch(/<fieldset disabled=""/);
  }
});

it("takes a data protection complaint on a page of its own", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.goto("/data-protection");
  await page.getByText("We acknowledge your complaint within 30 days").waitFor();
  await fillIn(page, "complaint@example.org", "Cwyn");
  await page.getByRole("button", { name: "Send complaint" }).click();
  await page.getByRole("link", { name: "Open the conversation" }).click();
  await page.getByText("A data protection complaint").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("finds the answer by what one types, and says so when there is none", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await page.goto("/support");
  const search = page.getByLabel("Search the answers");
  await search.fill("refund");
  await page.getByRole("status").filter({ hasText: "answers" }).waitFor();
  const answers = page.getByRole("main").locator("details");
  expect(await answers.first().locator("summary").innerText()).toMatch(/money back/);
  await answers.first().locator("summary").click();
  await page.getByText("Yes, with a full refund").waitFor();
  await expectAccessible(page, "an opened answer");
  await search.fill("zeppelin");
  await page.getByText("We found no answers about that.").waitFor();
  expect(await answers.count()).toBe(0);
  await search.fill("");
  await page.getByRole("heading", { name: "Before you order" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
