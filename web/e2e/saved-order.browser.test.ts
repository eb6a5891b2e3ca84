import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { mailsTo } from "../../testing/browser/orders-by-api.ts";
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

/** Asks for a link in the wizard. */
async function save(page: Page, email?: string): Promise<void> {
  await page.getByRole("button", { name: "Email me a link to finish later" }).click();
  const address = page.locator("#save-email");
  await address.waitFor();
  if (email !== undefined) await address.fill(email);
  await page.getByRole("button", { name: "Send the Link" }).click();
  await page.getByText("Check your email").waitFor();
}

/** The two links of the newest mail, once there are so many. */
async function linksMailed(email: string, mails = 1): Promise<{ open: string; remove: string }> {
  return vi.waitFor(async () => {
    const found = await mailsTo(product.url, email);
    expect(found).toHaveLength(mails);
    const links = found.map(({ text }) => ({
      open: /https?:[^\s#]+\/order\/saved#key=[\w-]{43}/.exec(text)?.[0] ?? "",
      remove: /https?:[^\s#]+\/order\/saved#delete=[\w-]{43}/.exec(text)?.[0] ?? "",
    }));
    const newest = links[0];
    if (!newest) throw new Error("There is no mail.");
    return newest;
  }, soon);
}

/** All that the tab keeps, as text. */
const keptIn = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(sessionStorage));

it("opens after a reload what it could not open, and the latest link of several", async () => {
  const email = "reloaded@example.org";
  const { page, context } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Birth");
  await page.getByLabel("First name").fill("Gwen");
  await save(page, email);
  const { open, remove } = await linksMailed(email);
  await page.evaluate(() => sessionStorage.clear());
  await page.route("**/api/drafts/open", (route) => route.abort());
  await page.goto("about:blank");
  await page.goto(open);
  const failed = page.getByText("We couldn’t open your order. Please try again.");
  await failed.waitFor();
  await page.reload();
  await failed.waitFor();
  await page.goto(remove);
  await page.reload();
  await page.getByRole("button", { name: "Delete What I Entered" }).waitFor();
  await page.goto(open);
  await failed.waitFor();
  await page.unroute("**/api/drafts/open");
  await page.reload();
  await page.getByLabel("First name").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Gwen");
  expect(await page.evaluate(() => sessionStorage.getItem("saved-order-link"))).toBeNull();
  await context.close();
});

it("goes on on another device where the first stopped, and is gone once the order is placed", async () => {
  const email = "later@example.org";
  const first = await newVisitor(browser, product.url);
  await wizard.chooseDocument(first.page, "Birth");
  await wizard.fillYourDetails(first.page, email);
  await first.page.getByLabel("Place of birth").fill("Tŷ Ddewi");
  await first.page.getByRole("button", { name: "Email me a link to finish later" }).click();
  expect(await first.page.locator("#save-email").inputValue()).toBe(email);
  await expectAccessible(first.page, "the form that saves an order");
  await first.page.getByRole("button", { name: "Cancel" }).click();
  await save(first.page);
  await expectAccessible(first.page, "an order that was saved");
  const { open } = await linksMailed(email);
  expect(first.faults).toEqual([]);
  await first.context.close();

  const second = await newVisitor(browser, product.url, 320);
  const { page } = second;
  await page.goto(open);
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(page.url()).not.toContain(open.slice(-43));
  expect(await page.getByLabel("Place of birth").inputValue()).toBe("Tŷ Ddewi");
  await expectNoSidewaysScroll(page, "an opened order");
  await wizard.fillBirth(page);
  await wizard.sign(page);
  expect(await page.getByRole("button", { name: "Email me a link to finish later" }).count()).toBe(0);
  await wizard.pay(page, wizard.cards.succeeds);
  await wizard.confirmedOrderNumber(page);
  await vi.waitFor(async () => {
    await page.goto("about:blank");
    await page.goto(open);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  }, soon);
  await second.context.close();
});

it("goes on with every certificate, and no longer with one that was removed", async () => {
  const email = "several@example.org";
  const first = await newVisitor(browser, product.url);
  await wizard.chooseDocument(first.page, "Birth");
  await wizard.fillYourDetails(first.page, email);
  await wizard.fillBirth(first.page);
  await wizard.addAnother(first.page, "Death");
  await first.page.getByLabel("Deceased's forename").fill("Gwen");
  await first.page.getByLabel("Deceased's surname").fill("Ellis");
  await save(first.page);
  const before = await linksMailed(email);
  await first.context.close();

  const second = await newVisitor(browser, product.url, 320);
  const { page } = second;
  await page.goto(before.open);
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  expect(await page.getByLabel("Deceased's surname").inputValue()).toBe("Ellis");
  await expectNoSidewaysScroll(page, "an opened order of two");
  await wizard.fillDeath(page);
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  await page.getByText("2 certificates", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Price breakdown" }).click();
  for (const certificate of [
    "birth certificate of Anwen Mair Llywelyn-Unmistakable",
    "death certificate of Gwen Ellis",
  ]) {
    const receipt = page.getByRole("complementary", { name: "Your order" });
    for (const act of ["Change", "Remove"])
      await receipt.getByRole("button", { name: `${act} ${certificate}`, exact: true }).waitFor();
  }
  await expectAccessible(page, "the receipt of an opened order of two");
  await page.getByRole("button", { name: /^Remove birth certificate/ }).click();
  await save(page);
  const { open } = await linksMailed(email, 2);
  await second.context.close();

  const third = await newVisitor(browser, product.url);
  await third.page.goto(open);
  await third.page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  const shown = await third.page.locator("main").innerText();
  expect(shown).toContain("Gwen Ellis");
  expect(shown).not.toContain("Llywelyn");
  await third.page.goto("about:blank");
  await third.page.goto(before.open);
  await third.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await third.context.close();
});

it("is deleted by the other link, after a press, and saved again it has a new link", async () => {
  const email = "deleted@example.org";
  const { page, context } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Death");
  await save(page, email);
  const before = await linksMailed(email);
  await save(page, email);
  const { open, remove } = await linksMailed(email, 2);
  expect(open).not.toBe(before.open);

  const other = await newVisitor(browser, product.url);
  await other.page.goto(before.open);
  await other.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await expectAccessible(other.page, "a link that does not work");
  await other.page.goto("about:blank");
  await other.page.goto(remove);
  await other.page.getByRole("heading", { name: "Delete your unfinished order" }).waitFor();
  expect(other.page.url()).not.toContain("#");
  await expectAccessible(other.page, "deleting a saved order");
  await other.page.route("**/api/drafts/delete", (route) => route.abort(), { times: 1 });
  await other.page.getByRole("button", { name: "Delete What I Entered" }).click();
  await other.page.getByText("We couldn’t delete it. Please try again.").waitFor();
  await other.page.reload();
  await other.page.getByRole("button", { name: "Delete What I Entered" }).click();
  const done = other.page.getByRole("heading", { name: "Your unfinished order is deleted" });
  await done.waitFor();
  expect(await keptIn(other.page)).not.toContain(remove.slice(-43));
  await other.page.goto("about:blank");
  await other.page.goto(open);
  await other.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await other.context.close();
  await context.close();
});

it("asks before it takes the place of another order in the tab", async () => {
  const email = "both@example.org";
  const first = await newVisitor(browser, product.url);
  await wizard.chooseDocument(first.page, "Birth");
  await first.page.getByLabel("First name").fill("Gwen");
  await save(first.page, email);
  const { open } = await linksMailed(email);
  await first.context.close();

  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Death");
  await page.getByLabel("First name").fill("Dilys");
  const question = page.getByRole("heading", { name: "You have an unfinished order in this tab" });
  await page.goto(open);
  await question.waitFor();
  await page.reload();
  await question.waitFor();
  await page.goto(open);
  await question.waitFor();
  expect(await question.evaluate(isFocused)).toBe(true);
  expect(await page.locator("main").innerText()).toMatch(
    /for a death certificate.* for a birth certificate/s,
  );
  await expectAccessible(page, "the choice between two orders");
  await expectNoSidewaysScroll(page, "the choice between two orders");
  await page.getByRole("button", { name: "Keep the Order in This Tab" }).click();
  await page.getByLabel("First name").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Dilys");
  expect(await keptIn(page)).not.toContain(open.slice(-43));

  await page.goto(open);
  await question.waitFor();
  await page.getByRole("button", { name: "Open the Saved Order" }).click();
  await page.getByLabel("First name").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Gwen");

  // The same answers are no other order.
  await page.goto(open);
  await page.getByLabel("First name").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("says of an answer that is too long that it is, and not of the address", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  // Before the page's own scripts: the draft is also written when its price arrives.
  await page.addInitScript(() => {
    const draft = JSON.parse(sessionStorage.getItem("order-draft") ?? "{}");
    draft.personalDetails.firstName = "x".repeat(501);
    sessionStorage.setItem("order-draft", JSON.stringify(draft));
  });
  await page.reload();
  await page.getByRole("button", { name: "Email me a link to finish later" }).click();
  await page.locator("#save-email").fill("long@example.org");
  await page.getByRole("button", { name: "Send the Link" }).click();
  await page.getByRole("alert").filter({ hasText: "Your answers are too long to save" }).waitFor();
  expect(await page.locator("#save-email-error").count()).toBe(0);
  await context.close();
});

describe("Without an answer", () => {
  it("says so, keeps the answers, and sends the same again", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await wizard.chooseDocument(page, "Birth");
    const keys: unknown[] = [];
    await page.route("**/api/drafts", async (route) => {
      keys.push(route.request().postDataJSON().key);
      if (keys.length === 1) return route.abort();
      return route.continue();
    });
    await page.getByRole("button", { name: "Email me a link to finish later" }).click();
    const address = page.locator("#save-email");
    await address.fill("not an address");
    await page.getByRole("button", { name: "Send the Link" }).click();
    await page.getByText("Please enter a valid email address").waitFor();
    expect(await address.evaluate(isFocused)).toBe(true);
    await address.fill("twice@example.org");
    await page.getByRole("button", { name: "Send the Link" }).click();
    await vi.waitFor(() => expect(keys).toHaveLength(1), soon);
    await page.locator("#save-email-error").waitFor();
    expect(await address.evaluate(isFocused)).toBe(true);
    await page.getByRole("button", { name: "Send the Link" }).click();
    await page.getByText("Check your email").waitFor();
    expect(keys[1]).toBe(keys[0]);
    await context.close();
  });
});
