import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newVisitor, openBrowser, settled, takenOver } from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { publicPages, textPages } from "../../testing/browser/public-pages.ts";
import { signInAs } from "../../testing/browser/staff.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** Words that only the back office has: its routes, its texts, its styles. */
const itsOwn = ["/api/admin", "/api/me", "/sandbox/identity", "Use single-key shortcuts", ".data-table"];

/** Words that only the hosted identity provider's part has: of its package, of ours, of its styles. */
const clerksOwn = ["__clerk_publishable_key", "Clerk could not be loaded.", "#clerk-captcha"];

interface Loaded {
  scripts: string[];
  styles: string[];
  /** Of the scripts, without the hash of their contents. */
  names: string[];
}

/** Scripts and styles that a page loads until it can be used. */
async function loadedBy(path: string, heading: string, kind: "text" | "app" | "staff"): Promise<Loaded> {
  const { page, context } = await newVisitor(browser, product.url);
  if (kind === "staff") await signInAs(page, "manager");
  // What was fetched ahead is asked for again where it is used, out of the browser's own store.
  const asked = new Set<string>();
  page.on("request", (request) => {
    if (/\.(js|css)$/.test(request.url())) asked.add(request.url());
  });
  await page.goto(path, { waitUntil: "load" });
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  // A page reads before its script is there.
  await (kind === "text" ? settled : takenOver)(page);
  const loaded = await Promise.all(
    [...asked].map(async (url) => ({ url, text: await (await fetch(url)).text() })),
  );
  await context.close();
  const of = (ending: string) => loaded.filter(({ url }) => url.endsWith(ending));
  const names = of(".js").map(({ url }) => basename(url).replace(/-[\w-]{8}\.js$/, ""));
  const [scripts, styles] = [of(".js"), of(".css")].map((files) => files.map(({ text }) => text));
  return { scripts: scripts ?? [], styles: styles ?? [], names: [...new Set(names)].toSorted() };
}

const wordsIn = (texts: readonly string[], words = itsOwn): string[] =>
  words.filter((word) => texts.some((text) => text.includes(word)));

/** What every page loads: it closes the menu, and starts the app where a page needs it. */
const start = ["index", "rolldown-runtime", "start"];

/** React, the router and the layout. */
const app = [...start, "app", "client", "shared"];

/** Parts of zod, which the bundler divides. */
const zod = ["api", "schemas"];

/** Words of what only later steps and further presses need: forms, card fields, notifications, an order's page. */
const later = [
  "shouldFocusError",
  "js.stripe.com",
  "swipeThreshold",
  "Continue to Payment",
  "Certificate of deletion",
];

/** The script that pages with the app may load until they can be used, in kilobytes, gzipped. */
const shares = [
  { path: "/transparency", heading: "Our public log", most: 128 },
  { path: "/verify", heading: "Check a proof of deletion", most: 129 },
  { path: "/lookup", heading: "Look Up Your Order", most: 107 },
] as const;

const kilobytes = (scripts: readonly string[]): number =>
  scripts.reduce((sum, text) => sum + gzipSync(text).length, 0) / 1_000;

it.each(textPages)("$path loads nothing of the app, at most 4 KB", async ({ path, heading }) => {
  const { scripts, styles, names } = await loadedBy(path, heading, "text");
  expect(names).toEqual(start);
  expect(kilobytes(scripts)).toBeGreaterThan(1);
  expect(kilobytes(scripts)).toBeLessThan(4);
  expect(wordsIn([...scripts, ...styles], [...itsOwn, ...later])).toEqual([]);
});

it.each(shares)("$path loads the app and files named after it, at most $most KB", async (share) => {
  const { path, heading, most } = share;
  const { scripts, styles, names } = await loadedBy(path, heading, "app");
  const own = names.filter((name) => ![...app, ...zod].includes(name));
  expect(own).toContain(`${path.slice(1)}-page`);
  // A file is named after the pages that need it.
  expect(own.filter((name) => !name.includes(path.slice(1)))).toEqual([]);
  expect(kilobytes(scripts)).toBeGreaterThan(60);
  expect(kilobytes(scripts)).toBeLessThan(most);
  expect(wordsIn([...scripts, ...styles], [...itsOwn, ...later])).toEqual([]);
});

it("names in the wizard's page what its first step needs, at most 162 KB, and nothing of the others", async () => {
  const html = await (await fetch(`${product.url}/order`)).text();
  const files = [...html.matchAll(/<(?:link|script) [^>]*"(\/assets\/[^"]+\.js)"/g)].map(
    ([, file = ""]) => file,
  );
  const scripts = await Promise.all(files.map(async (file) => (await fetch(`${product.url}${file}`)).text()));
  expect(files.length).toBeLessThan(18);
  expect(kilobytes(scripts)).toBeGreaterThan(100);
  expect(kilobytes(scripts)).toBeLessThan(162);
  expect(wordsIn(scripts, [...itsOwn, ...later])).toEqual([]);
  expect(wordsIn(scripts, ["Select Document Type"])).toEqual(["Select Document Type"]);
});

it.each([
  { path: "/support", heading: "Support", most: 175 },
  { path: "/data-protection", heading: "Data protection complaints", most: 167 },
])("$path loads its form, at most $most KB", async ({ path, heading, most }) => {
  const { scripts } = await loadedBy(path, heading, "app");
  expect(kilobytes(scripts)).toBeLessThan(most);
  expect(wordsIn(scripts, later.slice(1))).toEqual([]);
});

it("has all that comes later in files of its own", () => {
  const folder = join(import.meta.dirname, "..", "dist", "assets");
  const built = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const texts = built.map((name) => readFileSync(join(folder, name), "utf8"));
  expect(wordsIn(texts, later)).toEqual(later);
});

it("our own texts need only the subsets of the typefaces, 36 KB, and another letter the whole of one", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  const fonts = new Set<string>();
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) fonts.add(new URL(request.url()).pathname);
  });
  const names = () => [...fonts].map((path) => basename(path).replace(/-[\w-]{8}\.woff2$/, "")).toSorted();
  const subsets = ["inter", "jetbrains-mono", "newsreader"];
  for (const { path } of [...publicPages, { path: "/order" }, { path: "/lookup" }]) {
    await page.goto(path, { waitUntil: "networkidle" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect(subsets, path).toEqual(expect.arrayContaining(names()));
  }
  expect(names()).toEqual(subsets);
  const sizes = [...fonts].map(async (path) => (await (await fetch(product.url + path)).bytes()).length);
  expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(36_000);
  await page.getByLabel("Order Number").fill("Zoë");
  await expect.poll(names).toContain("jetbrains-mono-latin-wght-normal");
  await context.close();
});

it("the back office loads what home does not: the words looked for are really its own", async () => {
  const { scripts, styles } = await loadedBy("/accessadmin/no-such-page", "Page Not Found", "staff");
  expect(wordsIn([...scripts, ...styles])).toEqual(itsOwn);
});

it("nothing of the hosted identity provider is loaded where the sandbox signs people in", async () => {
  for (const [path, heading, kind] of [
    ["/", "The certificate you need", "text"],
    ["/sign-in", "Sign in", "app"],
    ["/accessadmin/no-such-page", "Page Not Found", "staff"],
  ] as const) {
    const { scripts, styles } = await loadedBy(path, heading, kind);
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
