import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { mailsTo, placeOrder } from "../../testing/browser/orders-by-api.ts";
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

/** A paid order, with the link and its key from the confirmation. */
async function mailed(email: string) {
  const { orderNumber } = await placeOrder(product.url, { email });
  return vi.waitFor(async () => {
    const [mail] = await mailsTo(product.url, email);
    const [link = "", key = ""] = /http\S+\/lookup\?order=\S+key=(\S+)/.exec(mail?.text ?? "") ?? [];
    expect(key).not.toBe("");
    return { orderNumber, link, key, address: `${product.url}/lookup?order=${orderNumber}` };
  }, soon);
}

/** Addresses and headers of all that a page asks for. */
function requestsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url(), JSON.stringify(request.headers())));
  return sent;
}

const holders = (page: Page) => page.getByRole("link", { name: "Correct your contact details" });

it("opens the order, and its key is in no request's address, nor in the tab's once it is used", async () => {
  const { link, key, address } = await mailed("first@example.org");
  const { page, context, faults } = await newVisitor(browser, product.url);
  const sent = requestsOf(page);
  await page.goto(link);
  await holders(page).waitFor();
  expect(sent.filter((asked) => asked.includes(key))).toEqual([]);
  expect(page.url()).toBe(address);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    key,
  );
  await page.reload();
  await holders(page).waitFor();
  // Followed again in a tab that shows the order.
  const exchanged = page.waitForResponse("**/api/orders/access");
  await page.goto(link);
  expect((await exchanged).status()).toBe(200);
  await holders(page).waitFor();
  await expect.poll(() => page.url()).toBe(address);
  expect(faults).toEqual([]);
  await context.close();
});

it("leaves no address with the key to go back to", async () => {
  const { link, address } = await mailed("back@example.org");
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/terms");
  await page.goto(link);
  await holders(page).waitFor();
  expect(page.url()).toBe(address);
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe("/terms");
  await context.close();
});

it("opens the order in the form of earlier mails, and keeps what else is in the address", async () => {
  const { key, address } = await mailed("earlier@example.org");
  const first = await newVisitor(browser, product.url);
  await first.page.goto(`${address}&key=${key}`);
  await holders(first.page).waitFor();
  expect(first.page.url()).toBe(address);
  expect(first.faults).toEqual([]);
  await first.context.close();

  const second = await newVisitor(browser, product.url);
  await second.page.goto(`${address}&change=contact#key=${key}`);
  await second.page.getByRole("heading", { level: 1, name: "Correct your contact details" }).waitFor();
  expect(second.page.url()).toBe(`${address}&change=contact`);
  expect(second.faults).toEqual([]);
  await second.context.close();
});

it("can be tried again, by the button or a reload, where the connection was lost", async () => {
  const { link, address } = await mailed("again@example.org");
  for (const again of ["button", "reload"]) {
    const { page, context } = await newVisitor(browser, product.url);
    await page.route("**/api/orders/access", (route) => route.abort(), { times: 1 });
    await page.goto(link);
    await page.getByRole("alert").filter({ hasText: "We could not search for your order" }).waitFor();
    expect(page.url()).toBe(address);
    if (again === "reload") await page.reload();
    else await page.getByRole("button", { name: "Try Again" }).click();
    await holders(page).waitFor();
    await context.close();
  }
});

it("shows the order though its link is cut off, and says so where a part of the key is left", async () => {
  const { link, address } = await mailed("cut@example.org");
  const { page, context } = await newVisitor(browser, product.url);
  const incomplete = page.getByText("This link is not complete", { exact: true });
  const [withoutKey = ""] = link.split("#");
  await page.goto(withoutKey);
  await page.getByText("With Home Office").waitFor();
  expect(await holders(page).count()).toBe(0);
  expect(await incomplete.count()).toBe(0);
  for (const cut of [link.slice(0, -1), `${address}#key=`, `${address}&key=cut.off`]) {
    await page.goto("about:blank");
    await page.goto(cut);
    await incomplete.waitFor();
    await page.getByText("With Home Office").waitFor();
    expect(page.url()).toBe(address);
    expect(await holders(page).count()).toBe(0);
  }
  await context.close();
});
