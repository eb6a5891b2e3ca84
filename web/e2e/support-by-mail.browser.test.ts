import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { mailsTo } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { confirm, signInAs } from "../../testing/browser/staff.ts";
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

const pdf = {
  name: "Tystysgrif Siân.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.7 Siân"),
};
/** What a mail's recipient does with the newest mail to an address, as on its page of the sandbox. */
async function returned(email: string, subject: string, what: object): Promise<void> {
  let id = "";
  await vi.waitFor(async () => {
    const answer = await fetch(`${product.url}/sandbox/mail`, { headers: { Accept: "text/html" } });
    const line = (await answer.text())
      .split("<li>")
      .find((each) => each.includes(`>${subject} (`) && each.includes(`To ${email} `));
    id = /\/sandbox\/mail\/([\w-]+)/.exec(line ?? "")?.[1] ?? "";
    expect(id).not.toBe("");
  }, soon);
  const answer = await fetch(`${product.url}/sandbox/mail/${id}/returns`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
  });
  expect(await answer.json()).toMatchObject({ reply: expect.stringMatching(/^250/) });
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.goto("/support");
  await page.getByLabel("What is it about?").selectOption({ label: "An order I placed" });
  await page.getByLabel("Your name").fill("Siân Rhŷs-Żak");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Subject").fill("Llythyr heb gyrraedd");
  await page.getByLabel("Message").fill("Ble mae fy nhystysgrif?");
}

async function sendForm(page: Page): Promise<{ number: string; link: string }> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  const number = await page.getByText(/^T-[\w-]+$/).innerText();
  const link = await page.getByRole("link", { name: "Open the conversation" }).getAttribute("href");
  return { number, link: link ?? "" };
}

const messages = (page: Page) => page.getByRole("list", { name: "Messages" }).locator(":scope > li");

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

async function staffAt(number: string, width = 1280) {
  const visit = await newVisitor(browser, product.url, width);
  await visit.page.goto("/");
  await signInAs(visit.page, "staff");
  await visit.page.goto(`/accessadmin/tickets/${number}`);
  await visit.page.getByRole("list", { name: "Conversation" }).waitFor();
  return visit;
}

it("shows both sides what came by mail, folded where a machine or a quote speaks", async () => {
  const email = "by.mail@example.org";
  const customer = await newVisitor(browser, product.url);
  await fillIn(customer.page, email);
  await customer.page.getByLabel("The reply itself, and the link").check();
  const { number, link } = await sendForm(customer.page);
  const subject = "We have received your message";
  await returned(email, subject, { as: "away" });
  await returned(email, subject, { as: "reply", text: "Diolch, a dyma fwy" });

  const staff = await staffAt(number);
  const entries = staff.page.getByRole("list", { name: "Conversation" }).getByRole("listitem");
  await entries.getByText("Diolch, a dyma fwy").waitFor();
  expect(await staff.page.getByText("customer by email").count()).toBe(2);
  await staff.page.getByText("Automatic reply", { exact: true }).click();
  await staff.page.getByText("Quoted text").last().click();
  await staff.page.getByText("The sender was not checked").last().click();
  await staff.page.getByText("Our email has it in full as well: the customer chose that.").waitFor();
  await expectAccessible(staff.page, "a ticket with mails");

  const original = await saved(staff.page, async () => {
    await staff.page.getByRole("button", { name: "Download the original…" }).last().click();
    await confirm(staff.page, "Download", "To see who sent it");
  });
  expect(original.name).toBe(`${number}.eml`);
  expect(original.bytes.toString()).toContain("Message-ID");

  await staff.page.getByLabel("Your reply").fill("Mae ar ei ffordd.\n\nCofion");
  await staff.page.getByRole("button", { name: "Send and wait" }).click();
  await staff.page.getByText("Sent. We have emailed the customer").waitFor();
  await vi.waitFor(async () => {
    const [newest] = await mailsTo(product.url, email);
    expect(newest?.text).toContain("Mae ar ei ffordd.");
  }, soon);

  await customer.page.goto(link);
  await customer.page.getByText("Mae ar ei ffordd.").waitFor();
  expect(await messages(customer.page).allInnerTexts()).toEqual([
    expect.stringContaining("Ble mae fy nhystysgrif?"),
    expect.stringMatching(/You by email[\s\S]*Automatic reply/),
    expect.stringMatching(/You by email[\s\S]*Diolch, a dyma fwy/),
    expect.stringContaining("Mae ar ei ffordd."),
  ]);
  await customer.page.getByText("What do our emails say?").click();
  await customer.page.getByRole("button", { name: "Send me only a link" }).click();
  await customer.page.getByText("Changed.").waitFor();
  await customer.page.getByRole("button", { name: "Send me replies in full" }).waitFor();
  await expectAccessible(customer.page, "a conversation with mails");

  expect([...customer.faults, ...staff.faults]).toEqual([]);
  await Promise.all([customer.context.close(), staff.context.close()]);
});

it.each([320, 768])("shows staff mails and files at %i px", async (width) => {
  const email = `narrow.${width}@example.org`;
  const customer = await newVisitor(browser, product.url);
  await fillIn(customer.page, email);
  await customer.page.getByLabel("Files (optional)").setInputFiles([pdf]);
  const { number } = await sendForm(customer.page);
  await returned(email, "We have received your message", { as: "reply", text: "Helo ".repeat(40) });
  const { page, context, faults } = await staffAt(number, width);
  await page.getByText("Not scanned for viruses").first().waitFor();
  const file = await saved(page, () => page.getByRole("button", { name: pdf.name }).click());
  expect(file.bytes.toString()).toBe("%PDF-1.7 Siân");
  await expectNoSidewaysScroll(page, `a ticket with mails at ${width}`);
  await expectAccessible(page, `a ticket with mails at ${width}`);
  expect(faults).toEqual([]);
  await Promise.all([context.close(), customer.context.close()]);
});
