import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { type PlacedOrder, placeOrder, untilHistorySays } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { dialog, type people, type VisitOptions, visitAs } from "../../testing/browser/staff.ts";
import { soon } from "../../testing/setup/patience.ts";

let product: Product;
let browser: Browser;
/** A customer whose application has been destroyed, for read-only tests. */
let person: Person;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  person = await createCustomer();
  await untilHistorySays(product.url, person.order, "deleted");
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** Searches are rate-limited. */
const unhurried = { ...soon, interval: 1_500 };

type Person = { readonly email: string; readonly surname: string; readonly order: PlacedOrder };

/** A customer with an order and a ticket. */
async function createCustomer(): Promise<Person> {
  const surname = `Cadwaladr${randomUUID().replaceAll(/[^a-f]/g, "")}`;
  const email = `${randomUUID()}@mail.example`;
  const order = await placeOrder(product.url, { email, contactFullName: `Ms Enid ${surname}` });
  await openTicket(email);
  return { email, surname, order };
}

async function openTicket(email: string): Promise<string> {
  const response = await fetch(`${product.url}/api/tickets`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "Enid Cadwaladr",
      email,
      category: "dataRequest",
      subject: "My data",
      message: "Please delete it.",
    }),
  });
  expect(response.status).toBe(201);
  return z.object({ ticketNumber: z.string() }).parse(await response.json()).ticketNumber;
}

/** Opens a page of the back office as a member of staff. */
const on = (
  path: string,
  run: (page: Page) => Promise<void>,
  { who = "staff", ...options }: VisitOptions & { who?: keyof typeof people } = {},
): Promise<void> => visitAs({ browser, url: product.url }, who, path, run, options);

async function look(page: Page, by: string, typed: string): Promise<void> {
  await page.getByLabel("Search by").selectOption(by);
  await page.getByRole("search").getByRole("textbox").fill(typed);
  await page.getByRole("button", { name: "Search" }).click();
}

const noMatch = (page: Page) => page.getByText("No customers found.");
const masked = (page: Page) => page.getByRole("link", { name: "M••• E••• C•••" });

/** Waits until the policies have indexed both order and ticket. */
async function find(page: Page, { email }: Person): Promise<void> {
  await vi.waitFor(async () => {
    await look(page, "email", email);
    await masked(page).or(noMatch(page)).or(page.getByRole("alert")).first().waitFor();
    expect(await page.getByRole("cell", { name: "Needs an answer" }).count()).toBe(1);
  }, unhurried);
}

/** On a customer's own page. */
async function onCustomer(
  person: Person,
  run: (page: Page) => Promise<void>,
  options: Parameters<typeof on>[2] = {},
): Promise<void> {
  await on(
    "/accessadmin/customers",
    async (page) => {
      await find(page, person);
      await masked(page).click();
      await page.getByRole("heading", { level: 1, name: "M••• E••• C•••" }).waitFor();
      await run(page);
    },
    options,
  );
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("Searching for customers", () => {
  test("finds one person by email address, keeping it out of the URL and browser storage", async () => {
    await onCustomer(person, async (page) => {
      await page.getByText("Held for now: the order is not finished").waitFor();
      expect(await page.content()).not.toContain(person.email);
      expect(page.url()).not.toContain("@");
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
      expect(stored).not.toContain(person.email);
      // The list is restored from memory.
      await page.getByRole("main").getByRole("link", { name: "Customers", exact: true }).click();
      await masked(page).waitFor();
    });
  });

  test("finds candidates by surname and postcode, and by keyboard alone", async () => {
    await on("/accessadmin/customers", async (page) => {
      await page.getByText("Find a customer").waitFor();
      await find(page, person);
      await look(page, "surname", person.surname.toUpperCase());
      await page.getByRole("link", { name: person.order.orderNumber }).waitFor();
      await page.getByRole("heading", { level: 1 }).focus();
      await page.keyboard.press("/");
      expect(await page.getByRole("search").getByRole("textbox").evaluate(isFocused)).toBe(true);
      await look(page, "postcode", "sy231aa");
      await page.getByRole("link", { name: person.order.orderNumber }).waitFor();
      await page.getByRole("heading", { level: 1 }).focus();
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Identity" }).waitFor();
    });
  });

  test("reports no results, an invalid search and too many searches", async () => {
    await on(
      "/accessadmin/customers",
      async (page) => {
        await look(page, "surname", "Nobody-At-All");
        await page.getByText("No customers found.").waitFor();
        await look(page, "email", "no address");
        await page.getByRole("alert").getByText("Please enter a valid email address").waitFor();
        await expectAccessible(page, "a refused search");
        await page.route("**/api/admin/customers/search", (route) =>
          route.fulfill({ status: 429, json: {} }),
        );
        await look(page, "surname", "Rhys");
        await page.getByRole("alert").getByText("Wait a moment").waitFor();
        await page.unroute("**/api/admin/customers/search");
        await page.route("**/api/admin/customers/search", (route) => route.abort());
        await look(page, "surname", "Rhys");
        await page.getByText("There was no response.").waitFor();
        await page.unroute("**/api/admin/customers/search");
        await page.route("**/api/admin/customers/search", (route) => route.fulfill({ status: 500 }));
        await press(page, "Try again");
        await page.getByText("The server could not answer.").waitFor();
        await page.unroute("**/api/admin/customers/search");
        await press(page, "Try again");
        await page.getByText("No customers found.").waitFor();
      },
      { expected: /429|500|Failed to load|failed/ },
    );
  });

  test("is not for compliance", async () => {
    for (const path of ["/accessadmin/customers", `/accessadmin/customers/${randomUUID()}`]) {
      await on(path, (page) => page.getByText("Your role does not have access to this page.").waitFor(), {
        who: "compliance",
      });
    }
  });
});

describe("A customer", () => {
  test("is revealed with a reason, logged by the order, and hidden again", async () => {
    await onCustomer(person, async (page) => {
      await press(page, "Reveal with a reason…");
      await dialog(page).getByText("permanently records").waitFor();
      await press(page, "Cancel");
      expect(await page.content()).not.toContain(person.email);
      await press(page, "Reveal with a reason…");
      await dialog(page).getByLabel("Reason").selectOption("customerAsked");
      await press(page, "Reveal");
      await page.getByText(person.email).waitFor();
      await page.getByText("1 Heol y Bont").waitFor();
      await press(page, "Hide");
      await page.getByText(person.email).waitFor({ state: "detached" });
      await page.getByRole("link", { name: person.order.orderNumber }).click();
      await page.getByText("Revealed contact data").first().waitFor();
    });
  });

  test("gets a readable and a portable copy of all data held", async () => {
    await onCustomer(person, async (page) => {
      await press(page, "Export as JSON…");
      await dialog(page).getByText("1 order and 1 ticket").waitFor();
      const [json] = await Promise.all([page.waitForEvent("download"), press(page, "Create copy")]);
      expect(json.suggestedFilename()).toMatch(/^subject-access-\d{4}-\d\d-\d\d\.json$/);
      const account = JSON.parse(readFileSync(await json.path(), "utf8"));
      expect(account).toMatchObject({
        complete: true,
        orders: [
          { orderNumber: person.order.orderNumber, contact: { email: person.email }, application: null },
        ],
        conversations: [{ messages: [{ from: "you", text: "Please delete it." }] }],
      });
      await page.getByText("Saved by your browser.").waitFor();
      await press(page, "Export as PDF…");
      const [pdf] = await Promise.all([page.waitForEvent("download"), press(page, "Create copy")]);
      expect(
        readFileSync(await pdf.path())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
    });
  });

  test("shows before and after erasure what is kept on which ground", async () => {
    await onCustomer(await createCustomer(), async (page) => {
      // As on a host without TLS.
      await page.addInitScript("delete Crypto.prototype.randomUUID");
      await page.reload();
      await press(page, "Request erasure…");
      const asking = dialog(page);
      await asking.getByText("kept for now:").first().waitFor();
      await asking.getByText("UK GDPR Article 17(1)(a)").first().waitFor();
      await press(page, "Cancel");
      expect(await page.getByText("Erasure requested on").count()).toBe(0);
      await press(page, "Request erasure…");
      await asking.getByLabel("Reason").selectOption("customerAsked");
      await press(page, "Erase");
      await page
        .getByText("Erasure has been requested. The remaining data is erased automatically")
        .waitFor();
      expect(await page.getByText("Erasure requested on").count()).toBe(2);
      expect(await page.getByRole("button", { name: "Request erasure…" }).count()).toBe(0);
      // The request came as a ticket, and the ticket leads here.
      await page.getByRole("link", { name: /^T-/ }).click();
      await page.getByRole("link", { name: "Everything we hold about this customer" }).click();
      await page
        .getByText("Erasure has been requested. The remaining data is erased automatically")
        .waitFor();
    });
  });

  test("without data says so, and so does one that could not be loaded", async () => {
    const noMatch = `/accessadmin/customers/${randomUUID()}`;
    await on(noMatch, (page) => page.getByText("No customer record found.").waitFor(), {
      expected: /404/,
    });
    await onCustomer(
      person,
      async (page) => {
        await page.route("**/api/admin/customers/*", (route) => route.abort());
        await page.reload();
        await page.getByText("This customer could not be loaded.").waitFor();
        await page.unroute("**/api/admin/customers/*");
        await press(page, "Try again");
        await page.getByRole("heading", { name: "Identity" }).waitFor();
      },
      { expected: /Failed to load|failed/ },
    );
  });

  test("disappears from the page once the last data is destroyed", async () => {
    const email = `${randomUUID()}@mail.example`;
    const ticketNumber = await openTicket(email);
    await on(
      "/accessadmin/customers",
      async (page) => {
        await vi.waitFor(async () => {
          await look(page, "email", email);
          await page.getByRole("link", { name: "E••• C•••" }).waitFor({ timeout: 1_000 });
        }, unhurried);
        await page.getByRole("link", { name: "E••• C•••" }).click();
        await press(page, "Request erasure…");
        await dialog(page).getByLabel("Reason").selectOption("lawRequires");
        await press(page, "Erase");
        await page.getByText("Erasure has been requested.").waitFor();
        await closeTicket(page, ticketNumber);
        await page.getByText("No customer record found.").waitFor();
      },
      { expected: /404/ },
    );
  });
});

async function closeTicket(page: Page, ticketNumber: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(`/accessadmin/tickets/${ticketNumber}`);
  await other
    .getByRole("button", { name: /^Close/ })
    .first()
    .click();
  const sure = other.getByRole("dialog").getByRole("button", { name: /^Close/ });
  if (await sure.isVisible()) await sure.click();
  await other.getByText("Closed").first().waitFor();
  await other.close();
}

describe("The pages of customers", () => {
  test.each([320, 768, 1280])("are accessible at %i px", async (width) => {
    const at = `at ${width} px`;
    await on(
      "/accessadmin/customers",
      async (page) => {
        await page.getByText("Find a customer").waitFor();
        await expectAccessible(page, `customers before a search ${at}`);
        await find(page, person);
        await expectAccessible(page, `customers found ${at}`);
        await expectNoSidewaysScroll(page, `customers found ${at}`);
        await masked(page).click();
        await page.getByRole("heading", { name: "Identity" }).waitFor();
        await expectAccessible(page, `a customer ${at}`);
        await expectNoSidewaysScroll(page, `a customer ${at}`);
        for (const action of ["Reveal with a reason…", "Export as PDF…", "Request erasure…"]) {
          await press(page, action);
          await expectAccessible(page, `${action} ${at}`);
          await expectNoSidewaysScroll(page, `${action} ${at}`);
          await page.keyboard.press("Escape");
        }
      },
      { width },
    );
  });
});
