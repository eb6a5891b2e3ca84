import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConfirmedOrder } from "../../contract/orders/tracking.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
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

const pages = [
  { path: "/", heading: "The certificate you need" },
  { path: "/order", heading: "Select Document Type" },
  { path: "/lookup", heading: "Look Up Your Order" },
  { path: "/order-confirmation", heading: "We cannot show this order" },
  { path: "/services", heading: "Services" },
  { path: "/pricing", heading: "Pricing" },
  { path: "/how-it-works", heading: "How it works" },
  { path: "/about", heading: "About Us" },
  { path: "/support", heading: "Support" },
  { path: "/order/saved", heading: "This link does not work" },
  { path: "/support/view", heading: "Your conversation with us" },
  { path: "/cookies", heading: "Cookies" },
  { path: "/accessibility", heading: "Accessibility statement" },
  { path: "/data-protection", heading: "Data protection complaints" },
  { path: "/transparency", heading: "Our public log" },
  { path: "/verify", heading: "Check a proof of deletion" },
  { path: "/terms", heading: "Terms" },
  { path: "/privacy", heading: "Privacy" },
  { path: "/error", heading: "Server Error" },
  { path: "/no-such-page", heading: "Page Not Found" },
] as const;

describe.each([320, 1280])("at %i px", (width) => {
  it("shows every page with its heading, to everyone, without a complaint", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url, width);
    for (const { path, heading } of pages) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      expect(await page.getByText("Sandbox", { exact: false }).first().isVisible(), `banner on ${path}`).toBe(
        true,
      );
      await expectAccessible(page, path);
      await expectNoSidewaysScroll(page, path);
    }
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    await context.close();
  });

  it("says what is wrong with each step, in words, in the summary and beside the field", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url, width);
    const summary = wizard.errorSummary(page);
    await wizard.chooseDocument(page, "Birth");
    await page.getByRole("button", { name: "Continue to Certificate Details" }).click();
    await summary.getByRole("link", { name: "First name is required" }).click();
    expect(await page.getByLabel("First name").evaluate(isFocused)).toBe(true);
    expect(await page.title()).toMatch(/^Error:/);
    await expectAccessible(page, "step 2 with errors");
    await expectNoSidewaysScroll(page, "step 2 with errors");

    await wizard.fillYourDetails(page, "sian@example.org");
    await page.getByRole("button", { name: "Continue to Review" }).click();
    for (const message of [
      "Day is required",
      "Month is required",
      "Year is required",
      "Please select Yes or No",
    ]) {
      await summary.getByRole("link", { name: message }).waitFor();
    }
    await expectAccessible(page, "step 3 with errors");
    await expectNoSidewaysScroll(page, "step 3 with errors");

    await wizard.fillBirth(page);
    await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
    // Said to be disabled until both boxes are ticked, it still answers a press.
    await page.getByRole("button", { name: "Continue to Payment" }).click({ force: true });
    await page
      .getByText("Please accept the terms and conditions to continue", { exact: true })
      .first()
      .waitFor();
    await expectAccessible(page, "step 4 with errors");
    await expectNoSidewaysScroll(page, "step 4 with errors");
    expect(faults).toEqual([]);
    await context.close();
  });
});

/**
 * Sets the text spacing that a reader may set (WCAG 1.4.12), as a sheet of the document: the site's policy forbids
 * others. Days, which depend on today, become the longest one.
 */
const spaceText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }" +
        "p { margin-bottom: 2em !important }",
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    for (const words of document.querySelectorAll("strong"))
      if (/^\w+day \d+ \w+$/.test(words.textContent)) words.textContent = "Wednesday 30 September";
  });

/** What does not show all of its text. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("body *:not(.sr-only)")]
      .filter((box) => ["hidden", "clip"].includes(getComputedStyle(box).overflowX) && box.clientWidth > 1)
      .filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
      .map((box) => box.outerHTML.slice(0, 160)),
  );

// The device's are wider, and are shown where ours come too late.
it.each(["our", "the device's"])("fits 320 px with a reader's text spacing, in %s fonts", async (fonts) => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  if (fonts !== "our") await context.route("**/*.woff2", (route) => route.abort());
  for (const { path, heading } of pages) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await spaceText(page);
    await expectNoSidewaysScroll(page, `${path} with text spacing`);
    expect(await cutOff(page), `cut off on ${path}`).toEqual([]);
  }
  expect(faults.filter((fault) => !/404|ERR_FAILED/.test(fault))).toEqual([]);
  await context.close();
});

it("stops an order from Scotland before any payment, and says where to go", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "sian@example.org");
  await page.getByLabel("Registration location").selectOption("Scotland");
  await page
    .getByRole("link", { name: /National Records of Scotland/ })
    .first()
    .waitFor();
  await expectAccessible(page, "step 3, Scotland");
  await page.getByRole("button", { name: "Continue to Review" }).click();
  expect(await page.getByRole("heading", { level: 1, name: "Review & Sign" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("stops an adopted person's own birth certificate before any payment, with the GRO's number", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "sian@example.org");
  await wizard.answerBirth(page);
  await wizard.answer(page, "Are you applying for your own certificate?", "Yes");
  await wizard.answer(page, "Is the person adopted?", "Yes");
  const notice = page.getByRole("alert").filter({ hasText: "We cannot order this certificate" });
  await notice.getByText("You haven’t been charged").waitFor();
  expect(await notice.getByRole("link").getAttribute("href")).toBe("tel:+443001231837");
  await expectAccessible(page, "step 3, adopted");
  await page.getByRole("button", { name: "Continue to Review" }).click();
  await expect.poll(() => notice.evaluate(isFocused)).toBe(true);
  expect(await page.getByRole("heading", { level: 1, name: "Review & Sign" }).count()).toBe(0);
  await wizard.answer(page, "Are you applying for your own certificate?", "No");
  await notice.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Continue to Review" }).click();
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("ticks what is chosen and nothing else, in a reader's own colours too", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/order?type=death");
  const card = (name: string) => page.locator("label").filter({ hasText: name });
  const ticked = (name: string) => card(name).locator("svg").isVisible();
  await card("Priority").click();
  await expect.poll(() => ticked("Priority")).toBe(true);
  expect(await ticked("Death Certificate")).toBe(true);
  expect([await ticked("Birth Certificate"), await ticked("Standard")]).toEqual([false, false]);
  await expectAccessible(page, "step 1 in a reader's own colours");
  expect(faults).toEqual([]);
  await context.close();
});

it("cannot find what is not there, and says so", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/lookup");
  await page.getByRole("button", { name: "Find Order" }).click();
  await page.getByText("Order number is required").first().waitFor();
  await page.getByLabel("Order Number").fill("0000-0000-00000");
  await page.getByRole("button", { name: "Find Order" }).click();
  await page.getByText("We can't find that order", { exact: true }).waitFor();
  await page.getByText("No order has this number. Please compare it with your confirmation.").waitFor();
  await expectAccessible(page, "lookup, not found");
  await page.goto("/order-confirmation?orderNumber=0000-0000-00000");
  await page.getByText("Order not found. Please check your order number.").waitFor();
  await page.getByRole("link", { name: "Return to Home" }).waitFor();
  await expectAccessible(page, "confirmation, not found");
  await context.close();
});

it("says why a confirmation cannot be shown: no number, no such order, our own fault, which may be tried again", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  const created = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && new URL(answer.url()).pathname === "/api/orders",
  );
  await wizard.openPayment(page, "confirmation@example.org");
  const { orderNumber } = await (await created).json();
  await page.goto("/order-confirmation");
  await page.getByRole("alert").getByText("No order number provided", { exact: true }).waitFor();
  await page.goto("/order-confirmation?orderNumber=0000-0000-00000");
  await page.getByText("Order not found. Please check your order number.").waitFor();
  expect(await page.getByRole("button", { name: "Try Again" }).count()).toBe(0);
  const lookups = /\/api\/orders\/lookup\//;
  await page.route(lookups, (route) => route.fulfill({ status: 500, json: { title: "Broken" } }));
  await page.goto(`/order-confirmation?orderNumber=${orderNumber}`);
  await page.getByRole("alert").getByText("Failed to load order information", { exact: true }).waitFor();
  await expectAccessible(page, "confirmation, our fault");
  await page.unroute(lookups);
  await page.route(lookups, (route) => route.abort());
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.getByText("Failed to load order information", { exact: true }).waitFor();
  await page.unroute(lookups);
  await page.getByRole("button", { name: "Try Again" }).click();
  // Nothing was paid: nothing is confirmed.
  await page.getByRole("heading", { level: 1, name: "Order Not Paid", exact: true }).waitFor();
  expect(await page.title()).toMatch(/^Order Not Paid – /);
  await page.getByText(orderNumber).first().waitFor();
  await context.close();
});

it.each([
  ["Processing", "Order Confirmed"],
  ["Fulfilled", "Order Confirmed"],
  ["Cancelled", "Order Cancelled"],
  ["Failed", "Order Failed"],
] as const)("heads and titles an order that is %s: %s", async (status, heading) => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const order: ConfirmedOrder = {
    orderNumber: "7K3M-Q9TX-2HVD4",
    status,
    createdAt: "2026-11-21T09:30:00.000Z",
    totalAmount: 45,
    contactFullName: null,
    email: null,
    recipientName: null,
    customerReference: null,
    orderedTogether: [],
    promise: null,
    holder: false,
  };
  await page.route(/\/api\/orders\/lookup\//, (route) => route.fulfill({ json: order }));
  await page.goto(`/order-confirmation?orderNumber=${order.orderNumber}`);
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  expect(await page.title()).toBe(`${heading} – Kith & Copy`);
  expect(faults).toEqual([]);
  await context.close();
});

it("shows the summary on the first visit of the wizard, with what step 1 has chosen, and counts the copies it shows", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/order");
  const receipt = page.getByRole("complementary", { name: "Your order" });
  await receipt.getByText("£45.00").first().waitFor();
  const copies = page.getByLabel("Number of Copies");
  expect(await copies.inputValue()).toBe("1");
  await copies.selectOption("");
  await expect.poll(() => receipt.count()).toBe(0);
  expect(await page.getByRole("button", { name: "Continue to Your Details" }).isDisabled()).toBe(true);
  await copies.selectOption("2");
  await receipt.getByText("£90.00").first().waitFor();
  await context.close();
});

it.each([320, 1280])(
  "the header leads to the lookup and to a new order on the wizard too, at %i px",
  async (width) => {
    const { page, context } = await newVisitor(browser, product.url, width);
    await page.goto("/order");
    await page.getByRole("heading", { level: 1, name: "Select Document Type" }).waitFor();
    const header = page.getByRole("banner");
    expect(await header.getByRole("link", { name: "Get Started" }).isVisible()).toBe(true);
    expect(await header.getByRole("link", { name: "Order Lookup" }).first().isVisible()).toBe(width > 1000);
    await context.close();
  },
);

it("numbers the steps that are not done on a wide screen, and ticks those that are", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/order");
  const steps = page.getByRole("navigation", { name: "Steps" }).getByRole("listitem");
  await expect.poll(() => steps.locator(".rail-mark").allInnerTexts()).toEqual(["1", "2", "3", "4", "5"]);
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  await expect.poll(() => steps.locator(".rail-mark").allInnerTexts()).toEqual(["", "2", "3", "4", "5"]);
  await context.close();
});

it("asks about a death in the order of the GRO's form: parents, occupation, marital status, reference", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Death");
  await wizard.fillYourDetails(page, "order@example.org");
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  await wizard.answer(page, "Gender", "Female");
  await wizard.answer(page, "Do you know the GRO Reference Number?", "Yes");
  const labels = await page.getByRole("main").locator("label[for]").allInnerTexts();
  const asked = ["Age at death", "Mother's surname", "Father's/Parent's surname", "Occupation"];
  asked.push("Marital status (optional)", "GRO reference (optional)");
  const places = asked.map((label) => labels.indexOf(label));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  await context.close();
});
