import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newVisitor, openBrowser, takenOver } from "./browser.ts";
import { type Product, startProduct } from "./product.ts";
import { signInAs } from "./staff.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** What home may load, in bytes as they travel. */
const mostScript = 120_000;
/** Words that only the back office has: its routes, its texts, its styles. */
const itsOwn = ["/api/admin", "/api/me", "/sandbox/identity", "Use single-key shortcuts", ".data-table"];

/** Words that only the hosted identity provider's part has: of its package, of ours, of its styles. */
const clerksOwn = ["__clerk_publishable_key", "Clerk could not be loaded.", "#clerk-captcha"];

/** Scripts and styles that a page loads, by address. */
async function loadedBy(
  path: string,
  heading: string,
  staff: boolean,
): Promise<{ scripts: string[]; styles: string[] }> {
  const { page, context } = await newVisitor(browser, product.url);
  if (staff) await signInAs(page, "manager");
  // What was fetched ahead is asked for again where it is used, out of the browser's own store.
  const asked = new Set<string>();
  page.on("request", (request) => {
    if (/\.(js|css)$/.test(request.url())) asked.add(request.url());
  });
  await page.goto(path, { waitUntil: "load" });
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  // Home reads before its script is there.
  await takenOver(page);
  const loaded = await Promise.all(
    [...asked].map(async (url) => ({ url, text: await (await fetch(url)).text() })),
  );
  await context.close();
  const of = (ending: string) => loaded.filter(({ url }) => url.endsWith(ending)).map(({ text }) => text);
  return { scripts: of(".js"), styles: of(".css") };
}

const wordsIn = (texts: readonly string[], words = itsOwn): string[] =>
  words.filter((word) => texts.some((text) => text.includes(word)));

it("home loads less than 120 KB of script, and nothing of the back office", async () => {
  const { scripts, styles } = await loadedBy("/", "The certificate you need", false);
  const bytes = scripts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeGreaterThan(60_000);
  expect(bytes).toBeLessThan(mostScript);
  expect(wordsIn([...scripts, ...styles])).toEqual([]);
});

it("the back office loads what home does not: the words looked for are really its own", async () => {
  const { scripts, styles } = await loadedBy("/accessadmin/no-such-page", "Page Not Found", true);
  expect(wordsIn([...scripts, ...styles])).toEqual(itsOwn);
});

it("nothing of the hosted identity provider is loaded where the sandbox signs people in", async () => {
  for (const [path, heading, staff] of [
    ["/", "The certificate you need", false],
    ["/sign-in", "Sign in", false],
    ["/accessadmin/no-such-page", "Page Not Found", true],
  ] as const) {
    const { scripts, styles } = await loadedBy(path, heading, staff);
    expect(wordsIn([...scripts, ...styles], clerksOwn)).toEqual([]);
  }
  // The words looked for are in what was built, and in nothing that every page loads.
  const folder = join(import.meta.dirname, "..", "dist", "assets");
  const built = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
  const has = (name: string) => wordsIn([readFileSync(join(folder, name), "utf8")], clerksOwn).length > 0;
  expect(
    wordsIn(
      built.map((name) => readFileSync(join(folder, name), "utf8")),
      clerksOwn,
    ),
  ).toEqual(clerksOwn);
  expect(built.filter(has).every((name) => name.startsWith("load-clerk-"))).toBe(true);
});
