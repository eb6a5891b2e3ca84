import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { type Product, seedProduct, startProduct } from "../../testing/browser/product.ts";
import { signInAs } from "../../testing/browser/staff.ts";
import { soon } from "../../testing/setup/patience.ts";

// A whole product with invented orders in all phases; staff find their way through the list and work on many at once.

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await startProduct({}, seedProduct);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

async function staffPage(path: string, role: Parameters<typeof signInAs>[1] = "staff", width = 1280) {
  const visitor = await newVisitor(browser, product.url, width);
  await signInAs(visitor.page, role);
  await visitor.page.goto(path);
  return visitor;
}

const rows = (page: Page) => page.locator("tr[data-row]");
const numbers = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((row) => row.getAttribute("data-row") ?? ""));

/** What each row says in pounds. */
const totals = (page: Page) =>
  rows(page).evaluateAll((all) =>
    all.map((row) => Number(/£([\d,.]+)/.exec(row.textContent ?? "")?.[1]?.replaceAll(",", ""))),
  );
const isDescending = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number <= (numbers[index - 1] ?? Number.NaN));

describe("The dashboard", () => {
  test("links each count to its orders, and shows performance", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/dashboard");
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    await expectAccessible(page, "the dashboard");
    const overdue = page.getByRole("link", { name: /^Past the promised date/ });
    const said = Number(/\d+/.exec(await overdue.innerText())?.[0]);
    expect(said).toBeGreaterThan(0);
    await page.getByText("Show as a table").first().click();
    expect(await page.getByRole("table", { name: "Orders and payments" }).getByRole("row").count()).toBe(31);
    await page.getByRole("link", { name: "90 days" }).click();
    await page.waitForURL(/days=90/);
    await overdue.click();
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(said);
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each([320, 768, 1280])("fits %i pixels", async (width) => {
    const { page, context } = await staffPage("/accessadmin/dashboard", "manager", width);
    await page.getByRole("heading", { name: "Performance" }).waitFor();
    await expectNoSidewaysScroll(page, `the dashboard at ${width}`);
    await context.close();
  });
});

describe("The rail", () => {
  test("shows the dashboard's counts of pending work and keeps them current", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/dashboard");
    const rail = page.getByRole("navigation", { name: "Back office" });
    const toAnswer = page.getByRole("link", { name: /^To answer \d/ });
    const said = Number(/\d+/.exec(await toAnswer.innerText())?.[0]);
    await rail.getByRole("link", { name: `Tickets ${said} to answer` }).waitFor();
    await rail.getByRole("link", { name: /^Orders [1-9]\d* pending tasks$/ }).waitFor();
    await page.goto("/accessadmin/no-such-page");
    await rail.getByRole("link", { name: `Tickets ${said} to answer` }).waitFor();
    const opened = await page.request.post("/api/tickets", {
      data: {
        ...{ name: "Gwen Puw", email: "gwen@post.example", category: "question" },
        ...{ subject: "Post", message: "Pryd?" },
      },
    });
    expect(opened.status()).toBe(201);
    await rail.getByRole("link", { name: `Tickets ${said + 1} to answer` }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("shows no counts to compliance, which has no dashboard", async () => {
    const { page, context } = await staffPage("/accessadmin/orders", "compliance");
    await rows(page).first().waitFor();
    await page.getByRole("link", { name: "Orders", exact: true }).waitFor();
    await context.close();
  });
});

describe("The list of orders", () => {
  test("is busy while the rows of an earlier question stay", async () => {
    const { page, context } = await staffPage("/accessadmin/orders");
    await rows(page).first().waitFor();
    const table = page.getByRole("table", { name: "Orders" });
    expect(await table.getAttribute("aria-busy")).toBe("false");
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/admin/orders?*type=Death*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel("Certificate").selectOption("Death");
    await expect.poll(() => table.getAttribute("aria-busy")).toBe("true");
    expect(await rows(page).count()).toBeGreaterThan(0);
    answer();
    await expect.poll(() => table.getAttribute("aria-busy")).toBe("false");
    for (const row of await rows(page).all()) expect(await row.innerText()).toContain("Death");
    await context.close();
  });

  test("keeps filters, order and page in the address, through reload and back", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/orders");
    await rows(page).first().waitFor();
    const newest = await numbers(page);
    await page.getByLabel("Certificate").selectOption("Death");
    await page.waitForURL(/type=Death/);
    const answered = page.waitForResponse(/type=Death.*sort=total/);
    await page.getByLabel("Sort order").selectOption("Largest total first");
    await answered;
    // The earlier rows stay while these load.
    await expect
      .poll(async () => page.getByRole("table", { name: "Orders" }).getAttribute("aria-busy"))
      .toBe("false");
    expect(isDescending(await totals(page))).toBe(true);
    const deaths = await numbers(page);
    expect(deaths).not.toEqual(newest);
    for (const row of await rows(page).all()) expect(await row.innerText()).toContain("Death");
    await page.reload();
    await rows(page).first().waitFor();
    expect(await numbers(page)).toEqual(deaths);
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL(/after=/);
    await expect.poll(() => numbers(page)).not.toEqual(deaths);
    await page.getByRole("link", { name: "Previous page" }).click();
    await expect.poll(() => numbers(page)).toEqual(deaths);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole("button", { name: "Remove the filter Certificate: Death" }).click();
    await expect.poll(() => page.url()).not.toContain("type=");
    expect(faults).toEqual([]);
    await context.close();
  });

  test("keeps two choices made before the page has followed the first", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/orders");
    await rows(page).first().waitFor();
    await page.evaluate(() => {
      for (const [label, words] of [
        ["Certificate", "Death"],
        ["Service", "Priority"],
      ]) {
        const named = [...document.querySelectorAll("select")].find(
          (select) => select.labels[0]?.textContent === label || select.ariaLabel === label,
        );
        const option = [...(named?.options ?? [])].find(({ text }) => text === words);
        if (!named || !option) throw new Error(`There is no ${label} with ${words}.`);
        named.value = option.value;
        named.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    await page.waitForURL(/service=/);
    expect(page.url()).toContain("type=Death");
    expect(faults).toEqual([]);
    await context.close();
  });

  test("works by keyboard alone", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/orders");
    await rows(page).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await rows(page).nth(1).evaluate(isFocused)).toBe(true);
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.getByText("1 order selected").waitFor();
    await page.keyboard.press("/");
    const box = page.getByRole("searchbox");
    await expect.poll(() => box.evaluate(isFocused)).toBe(true);
    const [number = ""] = await numbers(page);
    await page.keyboard.type(number.toLowerCase().replaceAll("-", " "));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/accessadmin/orders/${number}`);
    expect(faults).toEqual([]);
    await context.close();
  });

  /** Whether what has the focus is on top where it stands, and not under the header or clipped. */
  const isSeen = (page: Page) =>
    page.evaluate(() => {
      const focused = document.activeElement;
      const { x, y, width, height } = focused?.getBoundingClientRect() ?? new DOMRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return (focused?.contains(top) ?? false) || (focused?.closest("label")?.contains(top) ?? false);
    });

  test.each([390, 1280])("lets what has the focus be seen at %i pixels, there and back", async (width) => {
    const { page, context } = await staffPage("/accessadmin/orders", "staff", width);
    await rows(page).first().waitFor();
    await page.getByRole("searchbox").focus();
    const keys = [
      ...Array(60).fill("Tab"),
      ...Array(50).fill("Shift+Tab"),
      ..."jjjjjjjjjjjjjjjkkkkkkkkkkkkkk",
    ];
    for (const [nth, key] of keys.entries()) {
      await page.keyboard.press(key);
      expect(await isSeen(page), `${key}, the ${nth}th`).toBe(true);
    }
    await page.getByRole("checkbox", { name: "Select all rows shown" }).click();
    await page.getByText("50 orders selected").waitFor();
    await context.close();
  });

  test("searches for people without putting personal data into the URL", async () => {
    const { page, context } = await staffPage("/accessadmin/orders");
    await page.getByRole("searchbox").fill("Nobody-Of-That-Name");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("0 orders found by surname.").waitFor();
    expect(page.url()).not.toContain("Nobody");
    await expectAccessible(page, "a search that found nothing");
    // The seed contains this surname; the blind index follows the log.
    await page.getByRole("searchbox").fill("rhys");
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: "Search" }).click();
          return rows(page).count();
        },
        { ...soon, interval: 1_000 },
      )
      .toBeGreaterThan(0);
    expect(page.url()).not.toContain("rhys");
    await page.getByRole("button", { name: "Back to the list" }).click();
    await rows(page).first().waitFor();
    await context.close();
  });

  test("keeps views in this browser", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?service=priority");
    await page.getByRole("button", { name: "Save this view…" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Priority ones");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.reload();
    await page.getByRole("link", { name: "Priority ones" }).click();
    await page.waitForURL(/service=priority/);
    await page.getByRole("button", { name: "Delete the view Priority ones" }).click();
    expect(await page.getByRole("link", { name: "Priority ones" }).count()).toBe(0);
    await context.close();
  });

  test("keeps the views of two tabs, and a double click on Save saves alone", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?status=Failed");
    const other = await context.newPage();
    await other.goto("/accessadmin/orders?status=Cancelled");
    const view = (tab: Page, name: string) => tab.getByRole("link", { name, exact: true });
    const save = async (tab: Page, name: string) => {
      await tab.getByRole("button", { name: "Save this view…" }).click();
      await tab.getByRole("textbox", { name: "Name", exact: true }).fill(name);
      await tab.getByRole("button", { name: "Save", exact: true }).click();
    };
    await Promise.all([view(page, "All").waitFor(), view(other, "All").waitFor()]);
    await save(page, "Lost");
    await view(page, "All").dispatchEvent("click", { detail: 2 });
    expect(page.url()).toContain("status=Failed");
    await view(other, "Lost").waitFor();
    await save(other, "Gone");
    await view(page, "Gone").waitFor();
    await page.getByRole("button", { name: "Delete the view Lost" }).click();
    await view(other, "Lost").waitFor({ state: "detached" });
    await view(page, "Gone").click();
    await page.waitForURL(/status=Cancelled/);
    await context.close();
  });

  /** The orders of each heading, and those that it counts. */
  const groups = (page: Page) =>
    page.locator("tbody[data-group=true]").evaluateAll((bodies) =>
      bodies.map((body) => ({
        counted: Number.parseInt(body.querySelector("th")?.textContent ?? "", 10),
        orders: [...body.querySelectorAll("tr[data-row]")].map((row) => row.getAttribute("data-row") ?? ""),
      })),
    );
  const isSettled = (page: Page) =>
    expect.poll(() => page.getByRole("table", { name: "Orders" }).getAttribute("aria-busy")).toBe("false");

  test("keeps orders of one payment beside each other, in every order, on each page and in views", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/orders?sort=total");
    await rows(page).first().waitFor();
    expect(await groups(page)).toEqual([]);
    await page.getByRole("checkbox", { name: "Group by payment" }).click();
    await page.waitForURL(/group=payment/);
    await page.locator("tbody[data-group=true]").first().waitFor();
    await isSettled(page);
    const found: string[] = [];
    const next = page.getByRole("link", { name: "Next page" });
    for (;;) {
      const shown = await numbers(page);
      for (const { counted, orders } of await groups(page)) {
        expect(orders).toHaveLength(counted);
        expect(counted).toBeGreaterThan(1);
      }
      found.push(...shown);
      if ((await next.count()) === 0) break;
      await next.click();
      await expect.poll(() => numbers(page)).not.toEqual(shown);
      await isSettled(page);
    }
    expect(found.length).toBeGreaterThan(50);
    expect(new Set(found).size).toBe(found.length);
    await page.getByRole("button", { name: "Save this view…" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("By payment");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("checkbox", { name: "Group by payment" }).click();
    await expect.poll(() => page.url()).not.toContain("group=");
    await page.getByRole("link", { name: "By payment" }).click();
    await page.waitForURL(/group=payment/);
    await page.locator("tbody[data-group=true]").first().waitFor();
    await isSettled(page);
    const [first] = await groups(page);
    await page.getByRole("link", { name: "Show only these" }).first().click();
    await page.waitForURL(/checkout=/);
    await expect.poll(async () => (await numbers(page)).toSorted()).toEqual(first?.orders.toSorted());
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each([390, 768, 1440])("fits %i pixels with groups, and is accessible", async (width) => {
    const { page, context } = await staffPage("/accessadmin/orders?group=payment&sort=total", "staff", width);
    await page.locator("tbody[data-group=true]").first().waitFor();
    await expectNoSidewaysScroll(page, `the grouped list at ${width}`);
    await expectAccessible(page, `the grouped list at ${width}`);
    await context.close();
  });

  test("exports a file with a line for each order", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?status=Cancelled");
    await rows(page).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(lines[0]).toContain("orderNumber,status,phase");
    expect(lines.slice(1).every((line) => line.split(",")[1] === "Cancelled")).toBe(true);
    for (const number of await numbers(page)) expect(lines.join("\n")).toContain(number);
    await page.getByRole("status").getByText("The file has been downloaded.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Export CSV");
    await context.close();
  });

  test("reports an empty list, a failed load and outdated data", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?type=Adoption&status=Failed");
    await page.getByText("No orders match these filters.").waitFor();
    await page.route("**/api/admin/orders?*", (route) => route.abort());
    await page.getByRole("button", { name: "Remove the filter Status: Failed" }).click();
    await page.getByText("The list could not be updated").waitFor();
    await page.unroute("**/api/admin/orders?*");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await expect.poll(() => page.getByText("The list could not be updated").count()).toBe(0);
    await page.goto("/accessadmin/orders?createdFrom=2026-01-01&sort=total");
    await page
      .getByText(/could not be loaded|cannot be shown/)
      .first()
      .waitFor();
    await page.goto("/accessadmin/orders?queue=nonsense");
    await page.getByText(/^The address asks for something that does not exist\./).waitFor();
    await context.close();
  });

  test.each([320, 768, 1280])("fits %i pixels, and is accessible", async (width) => {
    const { page, context } = await staffPage("/accessadmin/orders?queue=overdue", "staff", width);
    await rows(page).first().waitFor();
    await rows(page).first().getByRole("checkbox").check();
    await expectNoSidewaysScroll(page, `the list at ${width}`);
    await expectAccessible(page, `the list at ${width}`);
    await context.close();
  });

  test("is there for compliance to read, and nothing more", async () => {
    const { page, context } = await staffPage("/accessadmin/orders", "compliance");
    await rows(page).first().waitFor();
    expect(await page.getByRole("searchbox").count()).toBe(0);
    expect(await rows(page).getByRole("checkbox").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
    await context.close();
  });
});

describe("What is done to many orders at once", () => {
  const act = async (page: Page, press: string, count: number) => {
    for (let nth = 0; nth < count; nth++) await rows(page).nth(nth).getByRole("checkbox").check();
    await page.getByRole("button", { name: press }).click();
    await page.getByLabel("Reason").last().selectOption("groWrote");
  };

  test("marks them despatched once it was confirmed, and says of each what came of it", async () => {
    const { page, context, faults } = await staffPage("/accessadmin/orders?phase=Submitted");
    await rows(page).first().waitFor();
    await act(page, "Mark despatched…", 2);
    await expectAccessible(page, "the question before many are marked");
    await page.getByRole("button", { name: "Mark 2 orders despatched" }).click();
    await page.getByRole("heading", { name: "Marked despatched: 2 of 2 orders" }).waitFor();
    expect(await page.getByRole("heading", { name: /^Marked/ }).evaluate(isFocused)).toBe(true);
    await expectAccessible(page, "the results");
    expect(faults).toEqual([]);
    await context.close();
  });

  test("leaves everything as it was when it was not confirmed", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?phase=Submitted");
    await rows(page).first().waitFor();
    const before = await numbers(page);
    await act(page, "Mark despatched…", 1);
    await page.keyboard.press("Escape");
    await page.reload();
    await rows(page).first().waitFor();
    expect(await numbers(page)).toEqual(before);
    await context.close();
  });

  test("says why an order was refused", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?phase=Priced");
    await rows(page).first().waitFor();
    await act(page, "Request submission…", 1);
    await page.getByRole("button", { name: "Request for 1 order" }).click();
    await page.getByText("Skipped: it is not paid").waitFor();
    await context.close();
  });

  test("adds the same note to each", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?queue=groQuestion");
    await rows(page).first().waitFor();
    await act(page, "Add note…", 2);
    await page.getByLabel("Note").last().fill("Asked again by telephone");
    await page.getByRole("button", { name: "Add to 2 orders" }).click();
    await page.getByRole("heading", { name: "Note added: 2 of 2 orders" }).waitFor();
    await context.close();
  });

  test("acts on the orders that were chosen, though the list changes meanwhile", async () => {
    const { page, context } = await staffPage("/accessadmin/orders?queue=groQuestion");
    const { page: colleague, context: other } = await staffPage("/accessadmin/orders?queue=groQuestion");
    await rows(page).first().waitFor();
    await act(page, "Add note…", 2);
    const list = /\/api\/admin\/orders\?/;
    await page.route(list, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), orders: [] } });
    });
    const changed = page.waitForResponse(list);
    await rows(colleague).first().waitFor();
    await act(colleague, "Add note…", 1);
    await colleague.getByLabel("Note").last().fill("Rang back");
    await colleague.getByRole("button", { name: "Add to 1 order" }).click();
    await changed;
    await page.getByLabel("Note").last().fill("Asked again by telephone");
    await page.getByRole("button", { name: "Add to 2 orders" }).click();
    await page.getByRole("heading", { name: "Note added: 2 of 2 orders" }).waitFor();
    await Promise.all([context.close(), other.close()]);
  });
});
