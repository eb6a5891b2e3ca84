import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";

/**
 * An installation with Stripe's keys: the page on its way to Stripe, and a stand-in for what comes from Stripe's hosts
 * alone.
 */

const keys = {
  STRIPE_SECRET_KEY: "rk_test_abcdefghij0123",
  STRIPE_PUBLISHABLE_KEY: "pk_test_abcdefghij0123",
  STRIPE_WEBHOOK_SECRET: "whsec_abcdefghijklmnop",
};

let product: Product;
let browser: Browser;
beforeAll(async () => {
  const start = startProduct(keys, async (settings) => {
    settings.PUBLIC_URL = `http://localhost:${settings.PORT}`;
  });
  [product, browser] = await Promise.all([start, openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const stripeOrigin = "https://js.stripe.com";
const sandboxed = readFileSync(
  join(import.meta.dirname, "..", "..", "services", "providers", "stripe", "sandbox", "browser", "stripe.js"),
  "utf8",
).replace("%CARD_ORIGIN%", stripeOrigin);
/** Keeps the key it was called with, and knows nothing of the intent, as Stripe of one that was just made. */
const script = `${sandboxed}
{
  const make = window.Stripe;
  const kept = (key, options) => {
    window.keyGiven = key;
    return Object.assign(make(key, options), { retrievePaymentIntent: async () => ({}) });
  };
  // The package complains of another than it was made for.
  window.Stripe = Object.assign(kept, { version: "endive" });
}`;
const cardFrame = `<!doctype html><title>Card</title><p>Card number
<script>parent.postMessage({ sandboxCard: 1, type: "ready" }, "*")</script>`;

/** Answers for Stripe's hosts; the page's policy decides whether it is asked at all. Returns what was asked for. */
async function playStripe(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(/^https:\/\/[^/]*stripe\.com\//, (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(route.request().url());
    return pathname === "/card"
      ? route.fulfill({ contentType: "text/html", body: cardFrame })
      : route.fulfill({ contentType: "text/javascript", body: script });
  });
  await page.route(/\/api\/create-payment-intent$/, (route) =>
    route.fulfill({ json: { clientSecret: "pi_1_secret_1" } }),
  );
  return asked;
}

it("loads Stripe's own script and frames from Stripe, with our key, and nothing of the sandbox", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const asked = await playStripe(page);
  const ofSandbox: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/sandbox")) ofSandbox.push(request.url());
  });
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "live@example.org");
  await wizard.fillBirth(page);
  expect(asked).toEqual([]);
  await wizard.sign(page);
  const pay = page.getByRole("button", { name: "Pay £45.00" });
  await pay.waitFor();
  await expect.poll(() => pay.isEnabled()).toBe(true);
  expect(asked.every((url) => url.startsWith(`${stripeOrigin}/`))).toBe(true);
  expect(asked.some((url) => url.endsWith("/stripe.js"))).toBe(true);
  expect(asked).toContain(`${stripeOrigin}/card`);
  expect(await page.evaluate("window.keyGiven")).toBe(keys.STRIPE_PUBLISHABLE_KEY);
  expect(ofSandbox).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it("says at the top of the page that a test key charges no card", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/");
  const words = "nothing here is sent to the General Register Office, and no card is charged.";
  await page.getByRole("complementary", { name: "Sandbox" }).getByText(words).waitFor();
  expect((await page.request.get("/sandbox/stripe.js")).status()).toBe(404);
  await context.close();
});

it("may not load from anywhere that is not Stripe's or ours (control)", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/");
  const refused = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ blockedURI }) => resolve(blockedURI));
        const script = document.createElement("script");
        script.src = "https://js.stripe.com.example/v3/";
        document.head.append(script);
      }),
  );
  expect(refused).toContain("https://js.stripe.com.example");
  await context.close();
});
