import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newVisitor, openBrowser, takenOver } from "./browser.ts";
import { type Product, startProduct } from "./product.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const painted = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);

/** Holds the answers to what matches; the function that it answers lets them go. */
async function hold(page: Page, what: RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(what, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

it("paints home and leads on from it while no script has come", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  const release = await hold(page, /\.js$/);
  await page.goto("/", { waitUntil: "commit" });
  await painted(page);
  await page.getByRole("heading", { level: 1, name: "The certificate you need" }).waitFor();
  await page.getByRole("link", { name: "View Pricing" }).click();
  await page.getByRole("heading", { level: 1, name: "Pricing" }).waitFor();
  release();
  await takenOver(page);
  expect(faults).toEqual([]);
  await context.close();
});

it("takes over as soon as somebody presses a key, whatever else is still on its way", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const release = await hold(page, /\.woff2$/);
  await page.goto("/", { waitUntil: "domcontentloaded" });
  expect(await page.evaluate(() => document.readyState)).toBe("interactive");
  await page.keyboard.press("Tab");
  await takenOver(page);
  expect(await page.evaluate(() => document.readyState)).toBe("interactive");
  release();
  expect(faults).toEqual([]);
  await context.close();
});
