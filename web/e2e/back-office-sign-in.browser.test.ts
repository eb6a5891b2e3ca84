import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { people, signInAs } from "../../testing/browser/staff.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const addressOf = (page: Page) => page.url().slice(product.url.length);
const arrive = (page: Page, address: string) => page.waitForURL(product.url + address);
const signedInAs = (page: Page, name: string, role: string) =>
  page.getByText(`Signed in as ${name}, ${role}`).waitFor();
const stored = (page: Page) =>
  page.evaluate(() => [localStorage.getItem("clerk-authenticated"), localStorage.getItem("clerk-user-id")]);
const mark = (page: Page) =>
  page.addInitScript(() => {
    if (sessionStorage.getItem("marked") === null) localStorage.setItem("clerk-authenticated", "true");
    sessionStorage.setItem("marked", "yes");
  });

describe("The gate of the back office", () => {
  it("shows a spinner while the session loads", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/sandbox/identity/session-token", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/accessadmin/tickets");
    await page.getByRole("status").getByText("Checking your sign-in").waitFor({ state: "attached" });
    expect(addressOf(page)).toBe("/accessadmin/tickets");
    await expectAccessible(page, "the gate while it waits");
    answer();
    await heading(page, "Admin login").waitFor();
    await context.close();
  });

  it("sends signed-out visitors to the admin login, then on to their page", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    await page.goto("/accessadmin/tickets?state=open");
    await heading(page, "Admin login").waitFor();
    expect(addressOf(page)).toBe("/admin-login?redirect=%2Faccessadmin%2Ftickets%3Fstate%3Dopen");
    await page.getByRole("button", { name: people.staff }).click();
    await arrive(page, "/accessadmin/tickets?state=open");
    await page.getByRole("navigation", { name: "Back office" }).waitFor();
    expect(await stored(page)).toEqual(["true", expect.stringMatching(/^user_/)]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("sends signed-in users who are not staff to Access Denied", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    await signInAs(page, "customer");
    await page.goto("/accessadmin/orders");
    await heading(page, "Access Denied").waitFor();
    expect(addressOf(page)).toBe("/unauthorized");
    await page
      .getByText(
        "You don't have permission to access the admin area. Only authorized administrators can access this section.",
      )
      .waitFor();
    await page.getByRole("link", { name: "Return to Homepage" }).click();
    await arrive(page, "/");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("trusts the server, not browser storage", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await mark(page);
    await page.addInitScript(() => localStorage.setItem("clerk-user-id", "user_manager"));
    await page.goto("/accessadmin/dashboard");
    await heading(page, "Admin login").waitFor();
    await context.close();
  });

  it("says when the server does not respond, and retries", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await signInAs(page, "staff");
    await page.route("**/sandbox/identity/session-token", (route) => route.abort());
    await page.goto("/accessadmin/tickets");
    await heading(page, "We could not check your sign-in").waitFor();
    await expectAccessible(page, "the gate without an answer");
    await page.unroute("**/sandbox/identity/session-token");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("navigation", { name: "Back office" }).waitFor();
    await context.close();
  });
});

describe("The button on Access Denied", () => {
  it("clears user id and marker, to avoid a redirect loop", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    await mark(page);
    await signInAs(page, "customer");
    await page.goto("/sign-in?redirect=/accessadmin");
    await heading(page, "Access Denied").waitFor();
    await page.getByRole("button", { name: "Sign in as someone else" }).click();
    await heading(page, "Sign in").waitFor();
    expect(addressOf(page)).toBe("/sign-in?redirect=%2Faccessadmin");
    expect(await stored(page)).toEqual([null, null]);
    await page.getByRole("button", { name: people.manager }).click();
    await arrive(page, "/accessadmin/dashboard");
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe("/sign-in", () => {
  it("goes to /dashboard by default: staff to the back office, others home", async () => {
    for (const [who, destination] of [
      ["staff", "/accessadmin/dashboard"],
      ["customer", "/"],
    ] as const) {
      const { page, context } = await newVisitor(browser, product.url);
      await page.goto("/sign-in");
      await page.getByRole("button", { name: people[who] }).click();
      await arrive(page, destination);
      await context.close();
    }
  });

  it("follows the redirect if the marker is set, and stays without either", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await page.goto("/sign-in?redirect=/pricing");
    await heading(page, "Sign in").waitFor();
    await mark(page);
    await page.goto("/sign-in?redirect=/pricing");
    await arrive(page, "/pricing");
    await page.goto("/sign-in");
    await heading(page, "Sign in").waitFor();
    await context.close();
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "%2F%2Fevil.example",
    "/\t/evil.example",
    "/..//evil.example",
  ])("leads nowhere else, not even by %s", async (redirect) => {
    const { page, context } = await newVisitor(browser, product.url);
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(product.url)) foreign.push(request.url());
    });
    await mark(page);
    // As it stands, and as an attacker would encode it.
    for (const written of [encodeURI(redirect), encodeURIComponent(redirect)]) {
      await page.goto(`/sign-in?redirect=${written}`);
      await arrive(page, "/");
      await page.goto(`/clerk-callback?redirect=${written}`);
      await arrive(page, "/");
    }
    expect(foreign).toEqual([]);
    await context.close();
  });

  it("links to sign-up, which creates a user and signs them in", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    await page.goto("/sign-in?redirect=/accessadmin/tickets");
    await page.getByRole("link", { name: "Sign up" }).click();
    await heading(page, "Sign up").waitFor();
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText("Username is required").waitFor();
    await expectAccessible(page, "sign-up with an error");
    await page.getByLabel("Username").fill("Ashley Vaughan");
    await page.getByLabel("Role").selectOption("staff");
    await page.getByRole("button", { name: "Sign up" }).click();
    await arrive(page, "/accessadmin/tickets");
    await signedInAs(page, "Ashley Vaughan", "staff");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("works by keyboard alone", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await page.goto("/sign-in?redirect=/accessadmin/tickets");
    await page.getByRole("button", { name: people.staff }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await signedInAs(page, people.otherStaff, "staff");
    await context.close();
  });
});

describe("Entry points", () => {
  it.each(["/admin-login", "/admin-login/factor-one", "/admin-login/a/b?x=1", "/accessadmin"])(
    "%s is the admin login, and leads people who work here straight in",
    async (path) => {
      const { page, context, faults } = await newVisitor(browser, product.url);
      await page.goto(path);
      await heading(page, "Admin login").waitFor();
      await signInAs(page, "manager");
      await page.goto(path);
      await arrive(page, "/accessadmin/dashboard");
      await signInAs(page, "customer");
      await page.goto(path);
      await heading(page, "Access Denied").waitFor();
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it("/clerk-callback sets the marker and follows the redirect, or goes home", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await page.goto("/clerk-callback?redirect=/pricing");
    await arrive(page, "/pricing");
    expect((await stored(page))[0]).toBe("true");
    await page.goto("/clerk-callback");
    await arrive(page, "/");
    await context.close();
  });

  it("send compliance to its register, as it has no dashboard", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    await signInAs(page, "compliance");
    await page.goto("/accessadmin");
    await arrive(page, "/accessadmin/compliance");
    const places = page.getByRole("navigation", { name: "Back office" }).getByRole("link");
    expect(await places.allTextContents()).toEqual(["Orders", "Compliance"]);
    await page.goto("/accessadmin/settings");
    await heading(page, "No access").waitFor();
    await expectAccessible(page, "a page of another role");
    expect(faults).toEqual([]);
    await context.close();
  });

  it("/dashboard sends staff to the back office, and others home", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await page.goto("/dashboard");
    await arrive(page, "/");
    await signInAs(page, "staff");
    await page.goto("/dashboard");
    await arrive(page, "/accessadmin/dashboard");
    await context.close();
  });
});

describe("Signing out", () => {
  it("ends the session of this browser only", async () => {
    const [here, there] = [await newVisitor(browser, product.url), await newVisitor(browser, product.url)];
    for (const { page } of [here, there]) {
      await signInAs(page, "staff");
      await page.goto("/accessadmin/tickets");
      await signedInAs(page, people.staff, "staff");
    }
    await here.page.getByRole("button", { name: "Sign out", exact: true }).click();
    await heading(here.page, "Admin login").waitFor();
    expect(await stored(here.page)).toEqual([null, null]);
    await there.page.reload();
    await signedInAs(there.page, people.staff, "staff");
    expect([...here.faults, ...there.faults]).toEqual([]);
    await here.context.close();
    await there.context.close();
  });

  it("everywhere ends every session at once, including tokens already issued", async () => {
    const [here, there] = [await newVisitor(browser, product.url), await newVisitor(browser, product.url)];
    let token = "";
    there.page.on("request", (request) => {
      token = request.headers().authorization ?? token;
    });
    for (const { page } of [here, there]) {
      await signInAs(page, "otherManager");
      await page.goto("/accessadmin/tickets");
      await signedInAs(page, people.otherManager, "manager");
    }
    const ask = () => there.page.request.get("/api/me", { headers: { Authorization: token } });
    expect((await ask()).status()).toBe(200);
    const question = here.page.getByRole("dialog", { name: "Sign out everywhere?" });
    await here.page.getByRole("button", { name: "Sign out everywhere…" }).click();
    await question.getByText("You will be signed out at once on every browser and device").waitFor();
    await expectAccessible(here.page, "the question before signing out everywhere");
    await question.getByRole("button", { name: "Cancel" }).click();
    expect((await ask()).status()).toBe(200);
    await here.page.getByRole("button", { name: "Sign out everywhere…" }).click();
    await question.getByRole("button", { name: "Sign out everywhere" }).click();
    await heading(here.page, "Admin login").waitFor();
    expect((await ask()).status()).toBe(401);
    // The open page notices because its update stream ends.
    await heading(there.page, "Admin login").waitFor();
    // Signing in again works.
    await here.page.getByRole("button", { name: people.otherManager }).click();
    await signedInAs(here.page, people.otherManager, "manager");
    expect(here.faults).toEqual([]);
    await here.context.close();
    await there.context.close();
  });
});

describe.each([320, 768, 1280])("At %i pixels", (width) => {
  it("has accessible sign-in pages that fit the screen", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url, width);
    for (const [path, name] of [
      ["/sign-in", "Sign in"],
      ["/sign-up", "Sign up"],
      ["/admin-login", "Admin login"],
      ["/unauthorized", "Access Denied"],
    ] as const) {
      await page.goto(path);
      await heading(page, name).waitFor();
      if (name !== "Access Denied") await page.getByText("This is the sandbox's sign-in").waitFor();
      await expectAccessible(page, path);
      await expectNoSidewaysScroll(page, path);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it("has an accessible shell that fits the screen, with menu and shortcuts", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url, width);
    await signInAs(page, "manager");
    await page.goto("/accessadmin/no-such-page");
    await heading(page, "Page Not Found").waitFor();
    await expectAccessible(page, "the shell");
    await expectNoSidewaysScroll(page, "the shell");
    if (width < 992) {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Settings" }).waitFor();
      await expectAccessible(page, "the shell's menu");
      await page.getByRole("button", { name: "Close" }).click();
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await expectAccessible(page, "the list of keys");
    await page.keyboard.press("Escape");
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe("Single-key shortcuts", () => {
  it("are ignored while typing, and can be turned off", async () => {
    const { page, context } = await newVisitor(browser, product.url);
    await signInAs(page, "manager");
    await page.goto("/accessadmin/no-such-page");
    await heading(page, "Page Not Found").waitFor();
    await page.keyboard.press("?");
    await page.getByLabel("Use single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "? Shortcuts" }).click();
    await page.getByLabel("Use single-key shortcuts").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await context.close();
  });

  it("reopen a dialog immediately after closing it", async () => {
    const { page, context, faults } = await newVisitor(browser, product.url);
    await signInAs(page, "manager");
    await page.goto("/accessadmin/no-such-page");
    await heading(page, "Page Not Found").waitFor();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    await list.evaluate((dialog: HTMLDialogElement) => {
      // The dialog's "close" event fires late: two frames later React has rendered both changes.
      const shown = new Promise((resolve) => {
        const afterFrames = () => requestAnimationFrame(() => requestAnimationFrame(resolve));
        dialog.addEventListener("close", afterFrames, { once: true });
      });
      dialog.requestClose();
      queueMicrotask(() => dispatchEvent(new KeyboardEvent("keydown", { key: "?" })));
      return shown;
    });
    expect(await list.isVisible()).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });
});
