import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TrackedOrder } from "../../contract/orders/tracking.ts";
import {
  expectAccessible,
  isFocused,
  newVisitor,
  openBrowser,
  takenOver,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { trackedOrder } from "../../testing/pages/tracked-order.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const { orderNumber } = trackedOrder;

/** An order that its holder can still change, as the server answers a lookup. */
const changeable: TrackedOrder = {
  ...trackedOrder,
  id: "0190a2b4-5c6d-4e7f-8a9b-0c1d2e3f4a5b",
  statusHistory: [{ status: "Processing", text: "Payment received", timestamp: "2026-11-20T10:01:00.000Z" }],
  holder: true,
  certificateType: "Birth",
  canAmend: true,
  contactChange: "all",
};

async function openedLookup(address: string, more: Partial<TrackedOrder> = {}) {
  const visitor = await newVisitor(browser, product.url, 320);
  await visitor.page.route(/\/api\/orders\/lookup$/, (route) =>
    route.fulfill({ json: { ...changeable, ...more } }),
  );
  await visitor.page.goto(address);
  await visitor.page.getByLabel("Order Number").waitFor();
  await takenOver(visitor.page);
  return visitor;
}

const tryAgain = (page: Page) => page.getByRole("button", { name: "Try Again" });

it("searches once the connection is back, though what shows an order could not be loaded", async () => {
  const { page, context } = await openedLookup("/lookup");
  await context.setOffline(true);
  await page.getByLabel("Order Number").fill(orderNumber);
  await page.getByRole("button", { name: "Find Order" }).click();
  await page.getByRole("alert").getByText("We could not search for your order").waitFor();
  await expectAccessible(page, "a search that could not be made");
  await context.setOffline(false);
  await tryAgain(page).click();
  await page.getByText("Payment received").waitFor();
  await context.close();
});

it("uses the key of an emailed link once the scripts for it can be loaded", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.route("**/api/orders/access", (route) => route.fulfill({ status: 410, json: {} }));
  await page.route("**/assets/lookup-requests-*.js", (route) => route.abort());
  let loads = 0;
  page.on("load", () => ++loads);
  await page.goto(`/lookup?order=${orderNumber}#key=t1.a`);
  // The page loads once more by itself, because the scripts may be of an earlier build.
  await expect.poll(() => loads).toBe(2);
  await page.getByRole("alert").getByText("We could not search for your order").waitFor();
  await page.unroute("**/assets/lookup-requests-*.js");
  const used = page.waitForRequest("**/api/orders/access");
  await tryAgain(page).click();
  expect((await used).postDataJSON()).toEqual({ orderNumber, key: "t1.a" });
  await context.close();
});

it("keeps the order that it shows while it cannot be refreshed, and says why", async () => {
  const { page, context } = await openedLookup(`/lookup?order=${orderNumber}`);
  await page.getByText("Payment received").waitFor();
  await page.route(/\/api\/orders\/lookup$/, (route) => route.fulfill({ status: 429, json: {} }), {
    times: 1,
  });
  await page.getByRole("button", { name: "Check again" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("We could not refresh your order").waitFor();
  await alert.getByText("There were too many searches from your connection.").waitFor();
  await alert.getByText("What you see here may be out of date.").waitFor();
  await page.getByText("Payment received").waitFor();
  await expectAccessible(page, "an order that could not be refreshed");
  await tryAgain(page).click();
  await alert.waitFor({ state: "detached" });
  await page.getByText("Payment received").waitFor();
  await context.close();
});

it("takes a cancellation once, though the order cannot be refreshed after it", async () => {
  const { page, context } = await openedLookup(`/lookup?order=${orderNumber}`, { canCancel: true });
  await page.route(/\/api\/orders\/[0-9a-f-]+\/cancel$/, (route) =>
    route.fulfill({ json: { id: changeable.id, orderNumber, status: "Cancelled" } }),
  );
  await page.getByRole("button", { name: "Cancel Order", exact: true }).click();
  await page.route(/\/api\/orders\/lookup$/, (route) => route.fulfill({ status: 503, json: {} }), {
    times: 1,
  });
  await page.getByRole("button", { name: "Yes, Cancel Order" }).click();
  await page.getByRole("alert").getByText("We could not refresh your order").waitFor();
  await page.getByRole("status").getByText("We have received your cancellation.").waitFor();
  expect(await page.getByRole("button", { name: /Cancel Order|Keep Order/ }).count()).toBe(0);
  await context.close();
});

it.each([
  ["change it", "Change your application"],
  ["Correct your contact details", "Correct your contact details"],
])("offers to load the form behind '%s' again", async (link, title) => {
  const { page, context } = await openedLookup(`/lookup?order=${orderNumber}`);
  await page.getByRole("link", { name: link }).waitFor();
  await context.setOffline(true);
  await page.getByRole("link", { name: link }).click();
  const heading = page.getByRole("heading", { level: 1, name: "We could not load your details" });
  await heading.waitFor();
  expect(await heading.evaluate(isFocused)).toBe(true);
  expect(await page.title()).toBe(`${title} – Kith & Copy`);
  await expectAccessible(page, "a form that could not be loaded");
  await context.setOffline(false);
  await tryAgain(page).click();
  // The form is there, and asks the server, which knows no such order.
  await page.getByRole("heading", { level: 1, name: "You can’t change this here" }).waitFor();
  await context.close();
});

it("offers to load the form that asks for an email address again", async () => {
  const { page, context } = await openedLookup("/lookup");
  await context.setOffline(true);
  const question = page.getByText("I don’t have my order number");
  await question.click();
  await page.getByRole("alert").getByText("The form could not be loaded.").waitFor();
  await expectAccessible(page, "the email form, not loaded");
  await context.setOffline(false);
  await tryAgain(page).click();
  await question.click();
  await page.getByLabel("Email").waitFor();
  await context.close();
});

it("starts another order, though no script can be loaded once it has asked", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Death");
  await wizard.fillYourDetails(page, "unfinished@example.org");
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  const another = { certificateType: "Birth", copies: 1, isPriority: false, contact: null };
  await page.route(/\/another$/, (route) => route.fulfill({ json: another }));
  await page.route(/\/api\/orders\/lookup$/, (route) => route.fulfill({ json: changeable }));
  await page.goto(`/lookup?order=${orderNumber}`);
  await page.getByRole("button", { name: "Order Another Like This" }).click();
  await page.getByRole("heading", { name: "You have an unfinished order in this tab" }).waitFor();
  await page.route(/\/assets\/.+\.js$/, (route) => route.abort());
  await page.getByRole("button", { name: "Start Another Order" }).click();
  await page.waitForURL("/order");
  // Without its scripts the page reloads itself, and reading its storage may fail meanwhile.
  const draft = () => page.evaluate(() => sessionStorage.getItem("order-draft")).catch(() => "");
  await expect.poll(draft).toContain('"certificateType":"Birth"');
  await context.close();
});
