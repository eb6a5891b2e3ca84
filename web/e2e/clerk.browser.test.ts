import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { type ClerkInTest, startClerk } from "../../testing/browser/clerk/clerk-peer.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";

let clerk: ClerkInTest;
let product: Product;
let browser: Browser;
beforeAll(async () => {
  clerk = await startClerk();
  const start = startProduct(clerk.environment, async (settings) => {
    settings.PUBLIC_URL = `http://localhost:${settings.PORT}`;
  });
  [product, browser] = await Promise.all([start, openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
  await clerk?.close();
});

const visitor = (width?: number) => newVisitor(browser, product.url, width, { ignoreHTTPSErrors: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const arrive = (page: Page, address: string) => page.waitForURL(product.url + address);
const stored = (page: Page) =>
  page.evaluate(() => [localStorage.getItem("clerk-authenticated"), localStorage.getItem("clerk-user-id")]);

/** Fills Clerk's form on the page that shows it. */
async function signInHere(page: Page, username: string, button = "Continue"): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button", { name: button, exact: true }).click();
}

describe("The gate of the back office", () => {
  it("waits for Clerk, sends who is not signed in to its form, and lets who works here in", async () => {
    const { page, context, faults } = await visitor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/clerk.browser.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/accessadmin/tickets?state=open");
    await page.getByRole("status").getByText("Checking your sign-in").waitFor({ state: "attached" });
    answer();
    await heading(page, "Admin login").waitFor();
    await signInHere(page, "robin");
    await arrive(page, "/accessadmin/tickets?state=open");
    await page.getByText("Signed in as Robin Ellis, staff").waitFor();
    expect(await stored(page)).toEqual(["true", "user_2RobinEllis"]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("sends who has no role to Access Denied, whatever the browser's storage says", async () => {
    const { page, context, faults } = await visitor();
    await page.goto("/sign-in?redirect=/accessadmin/orders");
    await signInHere(page, "taylor");
    await heading(page, "Access Denied").waitFor();
    expect(new URL(page.url()).pathname).toBe("/unauthorized");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("says when Clerk cannot be loaded, and loads it when asked again", async () => {
    const { page, context } = await visitor();
    await page.route("**/clerk.browser.js", (route) => route.abort());
    await page.goto("/accessadmin/tickets");
    await heading(page, "We could not check your sign-in").waitFor();
    await page.unroute("**/clerk.browser.js");
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "Admin login").waitFor();
    await page.getByLabel("User name").waitFor();
    await context.close();
  });
});

describe("Signing up", () => {
  it("leads from the sign-in page on to where one was going", async () => {
    const { page, context, faults } = await visitor();
    await page.goto("/sign-in?redirect=/accessadmin/orders");
    await page.getByLabel("User name").waitFor();
    await page.getByRole("link", { name: "Sign up" }).click();
    await heading(page, "Sign up").waitFor();
    await signInHere(page, "morgan", "Create account");
    await page.getByText("Signed in as Morgan Hughes, manager").waitFor();
    expect(new URL(page.url()).pathname).toBe("/accessadmin/orders");
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe("Signing out", () => {
  it("ends this session with us and at Clerk, and leads nowhere else", async () => {
    const { page, context, faults } = await visitor();
    await page.goto("/sign-in?redirect=/accessadmin/tickets");
    await signInHere(page, "robin");
    await page.getByText("Signed in as Robin Ellis, staff").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await heading(page, "Admin login").waitFor();
    expect(await stored(page)).toEqual([null, null]);
    expect(clerk.backend.sessions.at(-1)?.status).toBe("revoked");
    await page.goto("/accessadmin/tickets");
    await heading(page, "Admin login").waitFor();
    // What the page asks for in the moment before it learns that the session is over is refused.
    expect(faults.filter((fault) => !/\b401\b/.test(fault))).toEqual([]);
    await context.close();
  });

  it("everywhere ends it in every browser, for tokens that were issued already too", async () => {
    const [here, there] = [await visitor(), await visitor()];
    let token = "";
    there.page.on("request", (request) => {
      if (request.url().startsWith(product.url)) token = request.headers().authorization ?? token;
    });
    for (const { page } of [here, there]) {
      await page.goto("/sign-in?redirect=/accessadmin/tickets");
      await signInHere(page, "morgan");
      await page.getByText("Signed in as Morgan Hughes, manager").waitFor();
    }
    const ask = () => there.page.request.get("/api/me", { headers: { Authorization: token } });
    expect((await ask()).status()).toBe(200);
    await here.page.getByRole("button", { name: "Sign out everywhere…" }).click();
    await here.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await heading(here.page, "Admin login").waitFor();
    expect((await ask()).status()).toBe(401);
    // The page that was open finds out by itself, because its stream of updates ends.
    await heading(there.page, "Admin login").waitFor();
    expect(here.faults.filter((fault) => !/\b401\b/.test(fault))).toEqual([]);
    await here.context.close();
    await there.context.close();
  });
});

describe("What belongs to Clerk", () => {
  it("is loaded, and allowed, on no page that does not ask who is signed in", async () => {
    const { page, context, faults } = await visitor();
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(product.url)) foreign.push(request.url());
    });
    for (const path of ["/", "/order", "/lookup", "/support", "/terms", "/no-such-page"]) {
      const answered = await page.goto(path, { waitUntil: "networkidle" });
      const policy = answered?.headers()["content-security-policy"] ?? "";
      expect(policy).toContain("style-src 'self';");
      expect(policy).not.toMatch(/clerk|cloudflare|127\.0\.0\.1|nonce/);
    }
    expect(foreign.filter((url) => url.includes(clerk.host))).toEqual([]);
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    await context.close();
  });

  it("comes from the host of the publishable key, styled by a number that is another each time", async () => {
    const { page, context, faults } = await visitor();
    const foreign = new Set<string>();
    page.on("request", (request) => {
      if (!request.url().startsWith(product.url)) foreign.add(new URL(request.url()).host);
    });
    const numbers = new Set<string>();
    for (const path of ["/sign-in", "/sign-up", "/admin-login/factor-one"]) {
      const answered = await page.goto(path);
      const policy = answered?.headers()["content-security-policy"] ?? "";
      numbers.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? "none");
      expect(policy).toContain(`script-src 'self' https://${clerk.host} https://challenges.cloudflare.com`);
      await page.getByLabel("User name").waitFor();
      // Put in by Clerk's script as a style, which no policy but this one lets in.
      await page.waitForFunction(() => {
        const card = document.querySelector(".cl-form");
        return card !== null && getComputedStyle(card).paddingTop === "1px";
      });
    }
    expect(numbers.size).toBe(3);
    expect([...foreign]).toEqual([clerk.host]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([320, 1280])("is without social buttons, footer and captcha, at %i pixels", async (width) => {
    const { page, context, faults } = await visitor(width);
    for (const path of ["/sign-in", "/sign-up", "/admin-login"]) {
      await page.goto(path);
      await page.getByLabel("User name").waitFor();
      for (const hidden of ["Continue with somebody", "Secured by somebody", "Not a robot"])
        expect(await page.getByText(hidden).isVisible()).toBe(false);
      await expectAccessible(page, path);
      await expectNoSidewaysScroll(page, path);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
