import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
  settled,
  takenOver,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { hydratedPages, textPages } from "../../testing/browser/public-pages.ts";

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
  await settled(page);
  expect(faults).toEqual([]);
  await context.close();
});

it("hydrates as soon as a key is pressed, whatever is still loading", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const release = await hold(page, /\.woff2$/);
  await page.goto("/support", { waitUntil: "domcontentloaded" });
  expect(await page.evaluate(() => document.readyState)).toBe("interactive");
  await page.keyboard.press("Tab");
  await takenOver(page);
  expect(await page.evaluate(() => document.readyState)).toBe("interactive");
  release();
  expect(faults).toEqual([]);
  await context.close();
});

/** The pages that need script: the heading that the server sends, and a word of what to do without. */
const framed = [
  {
    path: "/order",
    heading: "Order a certificate",
    instead: /order directly from the General Register Office/,
  },
  { path: "/lookup", heading: "Look Up Your Order", instead: /write to help@/ },
  { path: "/order-confirmation?orderNumber=1", heading: "Your order", instead: /confirmation we emailed/ },
  { path: "/order/saved", heading: "Your unfinished order", instead: /open the link in our email again/ },
  { path: "/support/view", heading: "Your messages", instead: /quote your ticket number/ },
  { path: "/error", heading: "Server Error", instead: /write to help@/ },
  { path: "/sign-in", heading: "Sign in", instead: /reload the page/ },
  { path: "/sign-up", heading: "Sign up", instead: /reload the page/ },
  { path: "/unauthorized", heading: "Access Denied", instead: /reload the page/ },
  { path: "/clerk-callback", heading: "Processing Authentication", instead: /reload the page/ },
  { path: "/dashboard", heading: "Sign in", instead: /reload the page/ },
  { path: "/admin-login/factor-one", heading: "Sign in", instead: /reload the page/ },
  { path: "/accessadmin", heading: "Back office", instead: /reload the page/ },
  { path: "/accessadmin/orders/7K3M-Q9TX-2HVD4", heading: "Back office", instead: /reload the page/ },
] as const;

describe.each([320, 1280])("without script, at %i px", (width) => {
  it("each page that needs it says what it is and what to do instead", async () => {
    const context = await browser.newContext({
      baseURL: product.url,
      javaScriptEnabled: false,
      viewport: { width, height: 900 },
    });
    const page = await context.newPage();
    for (const { path, heading, instead } of framed) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await page.getByText("This page needs JavaScript.").waitFor();
      await page.getByRole("main").getByText(instead).waitFor();
      expect(await page.getByText("Loading the page").isVisible(), path).toBe(false);
      expect(await page.title(), path).toMatch(/^.+ – Kith & Copy$/);
      await page.getByRole("contentinfo").getByRole("link", { name: "Pricing" }).waitFor();
    }
    await context.close();
  });
});

it.each([
  { path: "/order", sent: "Order a certificate", filled: "Select Document Type" },
  { path: "/lookup", sent: "Look Up Your Order", filled: "Look Up Your Order" },
])("paints the frame of $path before any script has come, and the page takes its place", async (row) => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  const release = await hold(page, /\.js$/);
  await page.goto(row.path, { waitUntil: "commit" });
  await painted(page);
  await page.getByRole("heading", { level: 1, name: row.sent }).waitFor();
  await page.getByText("Loading the page").waitFor();
  expect(await page.getByText("This page needs JavaScript.").isVisible()).toBe(false);
  await expectAccessible(page, `the frame of ${row.path}`);
  await expectNoSidewaysScroll(page, row.path);
  release();
  await takenOver(page);
  await page.getByRole("heading", { level: 1, name: row.filled }).waitFor();
  expect(await page.getByText("Loading the page").count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

/** Sums what moved after the first paint, as the browser counts it, from the very beginning. */
async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) shifts.push(Number(entry.value));
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate("globalThis.shifts.reduce((sum, shift) => sum + shift, 0)");
}

const most = 0.01;

it.each([320, 412, 768, 1280])("nothing moves after the first paint, at %i px", async (width) => {
  const { page, context } = await newVisitor(browser, product.url, width);
  const shifted = await countShifts(page);
  // What comes late is what moves a page: the typefaces come after the first paint.
  await page.route(/\.woff2$/, async (route) => {
    await painted(page);
    await route.continue();
  });
  const withApp = [...hydratedPages.map((page) => page.path), "/order", "/lookup", "/sign-in"];
  for (const path of [...textPages.map((page) => page.path), ...withApp]) {
    await page.goto(path, { waitUntil: "networkidle" });
    if (withApp.includes(path)) await takenOver(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await shifted(), path).toBeLessThanOrEqual(most);
  }
  await context.close();
});

it("would notice a page that moves: the negative control of the above", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  const shifted = await countShifts(page);
  await page.goto("/pricing", { waitUntil: "networkidle" });
  await page.evaluate(() => {
    const late = document.createElement("div");
    late.style.height = "120px";
    document.querySelector("main")?.prepend(late);
  });
  await expect.poll(shifted).toBeGreaterThan(most);
  await context.close();
});
