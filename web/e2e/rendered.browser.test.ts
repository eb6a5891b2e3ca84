import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  expectAccessible,
  newVisitor,
  openBrowser,
  settled,
  takenOver,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { hydratedPages, publicPages, textPages } from "../../testing/browser/public-pages.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** Opens a page and waits until the script has taken it over. True when it kept the heading that the server sent. */
async function keepsWhatWasSent(page: Page, path: string): Promise<boolean> {
  // Replacing the heading would lose this mark.
  await page.route("**/*.js", async (route) => {
    await page.evaluate(() => {
      for (const element of document.querySelectorAll("h1")) element.dataset.sent = "yes";
    });
    await route.continue();
  });
  await page.goto(path);
  await takenOver(page);
  // React takes over an element before it finds a difference and replaces it.
  await settled(page);
  await page.unroute("**/*.js");
  return (await page.locator("h1").getAttribute("data-sent")) === "yes";
}

it.each(hydratedPages)(
  "takes over $path without changing it, and without a complaint",
  async ({ path, heading }) => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    expect(await keepsWhatWasSent(page, path)).toBe(true);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
);

it.each([...textPages, { path: "/no-such-page", heading: "Page Not Found" }])(
  "leaves $path as the server sent it",
  async ({ path, heading }) => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await settled(page);
    expect(asked.filter((url) => /\/(?:app|client)-[\w-]+\.js$/.test(url))).toEqual([]);
    expect(asked.filter((url) => /\/index-[\w-]+\.js$/.test(url))).toHaveLength(1);
    expect(faults.filter((fault) => !fault.includes("status of 404"))).toEqual([]);
    await context.close();
  },
);

it("fetches the app on a page of text once a link that needs it is pointed at, and for no other", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const ofTheApp = () => asked.filter((url) => /\/app-[\w-]+\.js$/.test(url)).length;
  await page.goto("/");
  await settled(page);
  await page.getByRole("link", { name: "View Pricing" }).hover();
  await settled(page);
  expect(ofTheApp()).toBe(0);
  await page.getByRole("link", { name: "Start Your Application" }).hover();
  await expect.poll(ofTheApp).toBe(1);
  await page.getByRole("link", { name: "Start Your Application" }).click();
  await page.getByRole("heading", { level: 1, name: "Select Document Type" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("would notice a page whose words the script has otherwise: the negative control of the above", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.route("**/support", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const other = html.replace(/(<h1[^>]*>)Support/, "$1Help");
    expect(other).not.toBe(html);
    await route.fulfill({ response, body: other });
  });
  expect(await keepsWhatWasSent(page, "/support")).toBe(false);
  expect(faults.join()).toMatch(/React error #418/);
  await context.close();
});

const opened = (path: string) => fetch(`${product.url}${path}`, { headers: { Accept: "text/html" } });

it("answers 404 with a page where there is none, which no search engine lists", async () => {
  for (const path of [
    "/no-such-page",
    "/services/gone",
    "/orders.php",
    "//elsewhere.example",
    "/support/view/7",
  ]) {
    const answer = await opened(path);
    expect(answer.status, path).toBe(404);
    const html = await answer.text();
    expect(html, path).toMatch(/<h1[^>]*>Page Not Found/);
    expect(html, path).toContain('<meta name="robots" content="noindex" />');
    expect(html, path).toContain("<title>Page Not Found – ");
  }
  const script = await fetch(`${product.url}/gone.js`, { headers: { Accept: "*/*" } });
  expect([script.status, script.headers.get("Content-Type")]).toEqual([404, expect.stringMatching(/json/)]);
});

it("answers 200 at every address that has a page, however it is written", async () => {
  const others = [
    ["/order", "/order-confirmation", "/lookup", "/support/view", "/error", "/order/saved"],
    ["/sign-in", "/sign-up", "/unauthorized", "/clerk-callback", "/dashboard"],
    ["/admin-login", "/admin-login/factor-one", "/accessadmin", "/accessadmin/orders/7K3M-Q9TX-2HVD4"],
    ["/Services", "/services/"],
  ].flat();
  for (const path of [...publicPages.map(({ path }) => path), ...others]) {
    expect((await opened(path)).status, path).toBe(200);
  }
});

it("reads Page Not Found without script, and leads on from it", async () => {
  const context = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/no-such-page");
  await page.getByRole("heading", { level: 1, name: "Page Not Found" }).waitFor();
  await page.getByRole("link", { name: "Return to Homepage" }).click();
  await page.getByRole("heading", { level: 1, name: "The certificate you need" }).waitFor();
  await context.close();
  const visitor = await newVisitor(browser, product.url, 320);
  await visitor.page.goto("/no-such-page");
  await expectAccessible(visitor.page, "Page Not Found");
  await visitor.context.close();
});
