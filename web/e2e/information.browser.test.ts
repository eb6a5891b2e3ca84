import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { currentPrivacyNotice } from "../../domain/forms/agreements.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  menuButton,
  newVisitor,
  openBrowser,
  takenOver,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { publicPages } from "../../testing/browser/public-pages.ts";

const name = "Ash <& Oak>";
let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ TRADING_NAME: name }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

it("reads every public page without script: its words, its name, who we are not, and its own address", async () => {
  const context = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const { path, heading } of publicPages) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.getByText(`${name} is a private company. It is not affiliated with`).waitFor();
    expect(await page.title(), path).toContain(name);
    expect(await page.locator("link[rel=canonical]").getAttribute("href")).toBe(`${product.url}${path}`);
    expect(await page.locator("meta[name=description]").getAttribute("content"), path).toMatch(/\w{3}.{40,}/);
  }
  await context.close();
});

it("fills in the pages of orders by script, and keeps them out of search engines", async () => {
  const order = `${product.url}/order-confirmation?orderNumber=7K3M-9QXT-2BWHD`;
  const html = await (await fetch(order, { headers: { Accept: "text/html" } })).text();
  expect(html).toContain('<meta name="robots" content="noindex" />');
  expect(html).toContain("Loading the page");
  expect(html).not.toContain("7K3M");
});

it("tells crawlers of its pages, each of which is there", async () => {
  const robots = await (await fetch(`${product.url}/robots.txt`)).text();
  expect(robots).toContain(`Sitemap: ${product.url}/sitemap.xml`);
  const map = await (await fetch(`${product.url}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  // Those two need their script, and say so where there is none.
  const paths = [...publicPages.map(({ path }) => path), "/order", "/lookup"];
  expect(listed.toSorted()).toEqual(paths.map((path) => `${product.url}${path}`).toSorted());
  const home = await (await fetch(product.url)).text();
  const [, card = ""] = /property="og:image" content="([^"]+)"/.exec(home) ?? [];
  expect((await fetch(card)).headers.get("Content-Type")).toBe("image/png");
});

it("shows the spinner while prices load, then the lowest price one can really pay, of all four", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/pricing/**", async (route) => {
    asked.push(new URL(route.request().url()).pathname.split("/").at(-1) ?? "");
    await held;
    await route.continue();
  });
  // By way of a page that came without prices: the first page of a visit carries the built-in ones. Its frame's links
  // load whole pages.
  await page.goto("/lookup");
  await page.getByRole("textbox").waitFor();
  await page.getByRole("link", { name: `${name}, home` }).click();
  await page.getByText("Loading the price").first().waitFor();
  answer();
  await page.getByText("From £45").first().waitFor();
  expect(await page.getByText("From £45").count()).toBe(4);
  expect(await page.getByText("Coming Soon").count()).toBe(2);
  expect(asked).toEqual(["birth", "death", "marriage", "adoption"].map((type) => `${type}-certificate`));
  expect(faults).toEqual([]);
  await context.close();
});

it("stays where a reader scrolled to before the script came", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/support", { waitUntil: "commit" });
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(0);
  release();
  await takenOver(page);
  expect(await page.evaluate(() => window.scrollY)).toBe(place);
  await page.getByRole("contentinfo").getByRole("link", { name: "Cookies", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Cookies" }).waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("draws what each certificate holds, leads there from the help, and names what would cost less", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await page.goto("/support");
  await takenOver(page);
  await page.getByRole("searchbox").fill("short certificate");
  await page.getByText("What does the certificate look like, and is it an original?").click();
  await page.getByRole("link", { name: "See what you get" }).click();
  const drawings = page.getByRole("region", { name: "What you get" });
  await expect.poll(() => drawings.getByRole("heading").evaluate(isFocused)).toBe(true);
  expect(await drawings.evaluate((region) => region.getBoundingClientRect().top)).toBeLessThan(100);
  for (const [name, held] of [
    ["Full birth certificate", "surname before marriage"],
    ["Short birth certificate", "District in which the birth was registered"],
    ["Full death certificate", "Cause of death"],
  ] as const) {
    await drawings.getByRole("figure", { name }).getByText(held).waitFor();
  }
  await page.getByText("as a PDF for £8.00 or a digital image for £3.00").waitFor();
  await expectNoSidewaysScroll(page, "/services");
  expect(faults).toEqual([]);
  await context.close();
});

it("leads from the footer to every text, and says on terms and privacy of which version and day they are", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await page.goto("/about");
  for (const [link, heading] of [
    ["Cookies", "Cookies"],
    ["Accessibility", "Accessibility statement"],
    ["Data protection complaints", "Data protection complaints"],
    ["Terms", "Terms & Conditions"],
    ["Privacy", "Privacy Policy"],
  ] as const) {
    await page.getByRole("contentinfo").getByRole("link", { name: link, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  }
  const { version, datedOn } = currentPrivacyNotice;
  const dated = page.getByText(new RegExp(`Version ${version}, last updated \\d+ \\w+ \\d{4}`));
  expect(await dated.locator("time").getAttribute("datetime")).toBe(datedOn);
  // What stands in the head follows the page by a moment.
  await expect
    .poll(() => page.locator("link[rel=canonical]").getAttribute("href"))
    .toBe(`${product.url}/privacy`);
  expect(faults).toEqual([]);
  await context.close();
});

it.each(["/", "/support"])(
  "folds the links of %s into a menu on a phone, which closes when one is picked",
  async (path) => {
    const { page, context, faults } = await newVisitor(browser, product.url, 320);
    await page.goto(path);
    if (path === "/support") await takenOver(page);
    await menuButton(page).click();
    const menu = page.getByRole("navigation", { name: "Menu" });
    for (const words of ["Services", "Pricing", "Order Lookup", "Support", "About Us"]) {
      expect(await menu.getByRole("link", { name: words }).isVisible(), words).toBe(true);
    }
    await expectAccessible(page, "the open menu");
    await menu.getByRole("link", { name: "Pricing" }).click();
    await page.getByRole("heading", { level: 1, name: "Pricing" }).waitFor();
    await menu.waitFor({ state: "hidden" });
    expect(faults).toEqual([]);
    await context.close();
  },
);

it.each([305, 240])("fits a screen of %i px, too narrow for the header in one line or not", async (width) => {
  const { page, context, faults } = await newVisitor(browser, product.url, width);
  await page.goto("/about");
  await expectNoSidewaysScroll(page, `the header at ${width} px`);
  expect(await page.getByRole("link", { name: "Get Started" }).isVisible()).toBe(true);
  expect(await menuButton(page).isVisible()).toBe(true);
  expect(faults).toEqual([]);
  await context.close();
});

it("opens the menu without script", async () => {
  const context = await browser.newContext({
    baseURL: product.url,
    javaScriptEnabled: false,
    viewport: { width: 320, height: 800 },
  });
  const page = await context.newPage();
  await page.goto("/");
  await menuButton(page).click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Support" }).click();
  await page.getByRole("heading", { level: 1, name: "Support" }).waitFor();
  await context.close();
});

it("closes the menu with Escape, back on its button, and when a press or the focus leaves it", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await page.goto("/about", { waitUntil: "load" });
  const menu = page.getByRole("navigation", { name: "Menu" });
  const button = menuButton(page);
  await button.press("Enter");
  await page.keyboard.press("Tab");
  expect(await menu.getByRole("button", { name: "Close" }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Tab");
  expect(await menu.getByRole("link", { name: "Services" }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  expect(await button.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Enter");
  for (let tabs = 0; tabs < 6; tabs += 1) await page.keyboard.press("Tab");
  expect(await menu.getByRole("link", { name: "About Us" }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Tab");
  await menu.waitFor({ state: "hidden" });
  await button.press("Enter");
  await menu.waitFor();
  await page.keyboard.press("Shift+Tab");
  await menu.waitFor({ state: "hidden" });
  await button.click();
  await menu.waitFor();
  await page.getByRole("contentinfo").click();
  await menu.waitFor({ state: "hidden" });
  expect(faults).toEqual([]);
  await context.close();
});
