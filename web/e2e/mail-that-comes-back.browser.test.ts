import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import {
  groWill,
  type HeldOrder,
  mailsTo,
  openAsHolder,
  placeOrder,
} from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { signInAs } from "../../testing/browser/staff.ts";
import { soon } from "../../testing/setup/patience.ts";

let product: Product;
let browser: Browser;
let order: HeldOrder;
const email = "sian.rhys@post.example";
const newEmail = "sian@new.example";

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  // The GRO would despatch after a minute. Then what a mail said of the submission is no longer so.
  await groWill(product.url, "loseNotices");
  order = await placeOrder(product.url);
  await untilMailed(email, "Your sensitive details were deleted");
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const untilMailed = (address: string, subject: string) =>
  vi.waitFor(async () => {
    const subjects = (await mailsTo(product.url, address)).map((mail) => mail.subject);
    expect(subjects.filter((each) => each.includes(subject))).not.toEqual([]);
  }, soon);

/** Opens a mail in the sandbox's mailbox, by its subject. */
async function openMail(page: Page, subject: string): Promise<void> {
  await page.goto("/sandbox/mail");
  await page.getByRole("link", { name: subject, exact: false }).first().click();
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
}

async function answerMail(page: Page, press: string): Promise<void> {
  await page.getByRole("button", { name: press, exact: true }).click();
  await page.getByRole("status").getByText("250").waitFor();
}

async function visit(run: (page: Page) => Promise<void>, width = 320): Promise<void> {
  const { page, context, faults } = await newVisitor(browser, product.url, width);
  await run(page);
  // The audit of accessibility tries to run in the frame of a sandbox's mail, where no script may.
  expect(faults.filter((fault) => !fault.includes("'about:srcdoc'"))).toEqual([]);
  await context.close();
}

const visitAsStaff = (path: string, run: (page: Page) => Promise<void>) =>
  visit(async (page) => {
    await page.goto("/");
    await signInAs(page, "staff");
    await page.goto(path);
    await run(page);
  }, 1280);

it("a reply to an order's mail is answered by staff, and the customer reads the answer", async () => {
  await visit(async (page) => {
    await openMail(page, "The GRO has your application");
    await expectAccessible(page, "a mail of the sandbox");
    await expectNoSidewaysScroll(page, "a mail of the sandbox");
    await page.getByLabel("Your reply").fill("A fydd hi yma erbyn y Nadolig?");
    await answerMail(page, "Reply");
    await answerMail(page, "Out of office");
  });

  await visitAsStaff("/accessadmin/tickets", async (page) => {
    await page.getByRole("table").getByRole("link").first().click();
    const conversation = page.getByRole("list", { name: "Conversation" });
    await conversation.getByText("A fydd hi yma erbyn y Nadolig?", { exact: true }).waitFor();
    expect(await conversation.innerText()).toContain("by email");
    await conversation.getByText("Automatic reply").waitFor();
    await page.getByRole("link", { name: order.orderNumber }).waitFor();
    await expectAccessible(page, "a conversation by email");
    await page.getByLabel("Your reply").fill("Bydd, yn ôl pob tebyg.");
    await page.getByRole("button", { name: "Send and wait" }).click();
    await conversation.getByText("Bydd, yn ôl pob tebyg.").waitFor();
  });

  await untilMailed(email, "We have replied to your message");
  await visit(async (page) => {
    const [mail] = await mailsTo(product.url, email);
    const [link = ""] = /http\S+\/support\/view#key=\S+/.exec(mail?.text ?? "") ?? [];
    await page.goto(link);
    await page.getByText("Bydd, yn ôl pob tebyg.").waitFor();
    await page.getByText("A fydd hi yma erbyn y Nadolig?", { exact: true }).waitFor();
    await expectAccessible(page, "the customer's conversation by email");
    await expectNoSidewaysScroll(page, "the customer's conversation by email");
  });
});

it("a bounce is seen by the customer and by staff, and a corrected address gets what was missed", async () => {
  await visit(async (page) => {
    await openMail(page, "The GRO has your application");
    await answerMail(page, "Bounce");
    await page.goto("/sandbox/mail");
    await expectAccessible(page, "the mail of the sandbox");
  });

  await visitAsStaff("/accessadmin/orders?queue=undelivered", async (page) => {
    await page.getByRole("link", { name: order.orderNumber }).click();
    await page.getByText("Email came back").first().waitFor();
    await expectAccessible(page, "an order whose mail came back");
  });

  await visit(async (page) => {
    await openAsHolder(page, product.url, order);
    await page.getByRole("heading", { name: "We could not reach you" }).waitFor();
    await expectAccessible(page, "the tracking page of an order whose mail came back");
    await expectNoSidewaysScroll(page, "the tracking page of an order whose mail came back");
    await page.getByRole("region", { name: "We could not reach you" }).getByLabel("Email").fill(newEmail);
    await page.getByRole("button", { name: "Send Emails Again" }).click();
    await page.getByRole("heading", { name: "We could not reach you" }).waitFor({ state: "detached" });
    await page.getByRole("status").getByText(`We are sending what you missed to ${newEmail}.`).waitFor();
    await expectAccessible(page, "the tracking page of an order whose address was corrected");
  });
  await untilMailed(newEmail, "The GRO has your application");

  await visitAsStaff("/accessadmin/orders?queue=undelivered", async (page) => {
    await page.getByText("No orders match").waitFor();
  });
});
