import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../../testing/browser/browser.ts";
import { type Product, seedProduct, startProduct } from "../../testing/browser/product.ts";
import { dialog, visitAs } from "../../testing/browser/staff.ts";

// What has the focus when the control that had it has left the page.

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

type Role = Parameters<typeof visitAs>[1];

const on = (path: string, run: (page: Page) => Promise<void>, who: Role = "staff", expected?: RegExp) =>
  visitAs({ browser, url: product.url }, who, `/accessadmin/${path}`, run, { expected });

/** What has the focus, by its name. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "nothing";
    const label = "labels" in element && element.labels instanceof NodeList ? element.labels[0] : undefined;
    return (
      element.getAttribute("aria-label") ?? element.getAttribute("data-row") ?? (label ?? element).textContent
    );
  });

const expectFocus = (page: Page, name: string | RegExp): Promise<void> =>
  expect.poll(() => focused(page)).toMatch(name instanceof RegExp ? name : new RegExp(`^${name}$`));

const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name });
const rows = (page: Page): Locator => page.locator("tr[data-row]");

async function pick(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByLabel(filter, { exact: true }).focus();
  await page.getByLabel(filter, { exact: true }).selectOption({ label: choice });
  await button(page, `Remove the filter ${filter}: ${choice}`).waitFor();
}

describe("In the list of orders", () => {
  test("a filter that was picked leaves the focus to the next one, and the last to the one before", async () => {
    await on("orders", async (page) => {
      await pick(page, "Status", "Processing");
      await expectFocus(page, "Phase");
      await pick(page, "Service", "Priority");
      await expectFocus(page, "Clear all");
    });
  });

  test("a filter that was removed leaves the focus to the next one", async () => {
    await on("orders?status=Processing&service=priority", async (page) => {
      await button(page, /^Remove the filter Status/).press("Enter");
      await expectFocus(page, "Remove the filter Service: Priority");
      await page.keyboard.press("Enter");
      await expectFocus(page, "Needs attention");
    });
  });

  test("clearing all filters leaves the focus to the last of them", async () => {
    await on("orders?status=Processing&service=priority", async (page) => {
      await button(page, "Clear all").press("Enter");
      await expectFocus(page, "Service");
    });
  });

  test("a day that was entered leaves the focus to the next day", async () => {
    await on("orders?createdFrom=2026-01-01", async (page) => {
      const until = page.getByLabel("Created to");
      await until.fill("2099-12-31");
      await until.press("Enter");
      await expectFocus(page, "Paid from");
    });
  });

  test("a view that was deleted leaves the focus to the next one", async () => {
    await on("orders", async (page) => {
      for (const [status, name] of [
        ["Fulfilled", "Done"],
        ["Cancelled", "Lost"],
      ] as const) {
        await page.goto(`/accessadmin/orders?status=${status}`);
        await button(page, "Save this view…").click();
        await dialog(page).getByLabel("Name").fill(name);
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name, exact: true }).waitFor();
      }
      await button(page, "Delete the view Done").press("Enter");
      await expectFocus(page, "Lost");
      await button(page, "Delete the view Lost").press("Enter");
      await expectFocus(page, "Save this view…");
    });
  });

  test("saving a view leaves the focus among the views", async () => {
    await on("orders?status=Fulfilled", async (page) => {
      await button(page, "Save this view…").press("Enter");
      await dialog(page).getByLabel("Name").fill("Done");
      await page.keyboard.press("Enter");
      await expectFocus(page, "Delete the view Done");
    });
  });

  test("the last page leaves the focus to the link back", async () => {
    await on("orders", async (page) => {
      await rows(page).first().waitFor();
      const next = page.getByRole("link", { name: "Next page" });
      const firstRow = () => rows(page).first().getAttribute("data-row");
      while ((await next.count()) > 0) {
        const before = await firstRow();
        await next.press("Enter");
        await expect.poll(firstRow).not.toBe(before);
      }
      await expectFocus(page, "Previous page");
    });
  });

  test("letting go of the selected orders leaves the focus to the heading", async () => {
    await on("orders", async (page) => {
      await rows(page).first().getByRole("checkbox").check();
      await button(page, "Clear").press("Enter");
      await expectFocus(page, "Orders");
    });
  });

  test("a control that was left takes no focus anywhere when it goes", async () => {
    await on("orders", async (page) => {
      await rows(page).first().waitFor();
      await page.keyboard.press("j");
      await page.getByRole("main").click({ position: { x: 2, y: 2 } });
      await expectFocus(page, "nothing");
      await page.evaluate(() => document.querySelector("tr[data-row]")?.remove());
      await expectFocus(page, "nothing");
    });
  });
});

describe("An order", () => {
  test("leaves the focus to the button that hides what a reveal showed, and back", async () => {
    await on("orders?phase=Priced", async (page) => {
      await rows(page).first().getByRole("link").first().click();
      await button(page, "Reveal with a reason… Contact").press("Enter");
      await dialog(page).getByLabel("Reason").selectOption({ label: "The customer asked" });
      await dialog(page).getByRole("button", { name: "Reveal" }).press("Enter");
      await expectFocus(page, "Hide Contact");
      await page.keyboard.press("Enter");
      await expectFocus(page, "Reveal with a reason… Contact");
    });
  });
});

describe("The inbox and a ticket", () => {
  test("a filter that was picked leaves the focus to the next one", async () => {
    await on("tickets", async (page) => {
      await pick(page, "Assigned to", "Unassigned");
      await expectFocus(page, "About");
    });
  });

  test("a row that leaves the list while it has the focus leaves it to the next row", async () => {
    await on("tickets", async (page) => {
      await rows(page).nth(1).waitFor();
      await page.keyboard.press("j");
      const [gone = "", next = ""] = await rows(page).evaluateAll((all) =>
        all.map((row) => row.getAttribute("data-row") ?? ""),
      );
      await expectFocus(page, gone);
      await on(
        `tickets/${gone}`,
        async (other) => {
          await button(other, "Wait for customer").click();
          await button(other, "Reopen").waitFor();
        },
        "otherStaff",
      );
      await page.locator(`tr[data-row="${gone}"]`).waitFor({ state: "detached" });
      await expectFocus(page, next);
    });
  });

  test("an action that is over leaves the focus to the next one", async () => {
    await on(
      "settings?view=staff",
      async (page) => {
        await page.getByLabel("User id").fill("user_colleague");
        await button(page, "Review and grant").click();
        await dialog(page).getByRole("button", { name: "Grant role" }).click();
        await page.getByRole("cell", { name: "user_colleague" }).waitFor();
      },
      "manager",
    );
    await on("tickets?assignee=unassigned", async (page) => {
      await rows(page).first().getByRole("link").first().click();
      await button(page, "Assign to me").press("Enter");
      await expectFocus(page, "Assign to");
      // The page may show the change before the action is over, and takes no other one until then.
      const idle = page.locator(":not([aria-disabled=true])");
      await button(page, "Wait for customer").and(idle).press("Enter");
      await expectFocus(page, "Close…");
      await page.getByLabel("Assign to").focus();
      await page.getByLabel("Assign to").selectOption({ index: 1 });
      await expectFocus(page, "File under");
    });
  });
});

describe("Elsewhere", () => {
  test("hiding a customer leaves the focus to the button that reveals them", async () => {
    await on("customers", async (page) => {
      await page.getByLabel("Search by").selectOption("surname");
      await page.getByRole("search").getByRole("textbox").fill("rhys");
      await page.keyboard.press("Enter");
      await rows(page).first().getByRole("link").first().click();
      await button(page, "Reveal with a reason…").press("Enter");
      await dialog(page).getByLabel("Reason").selectOption({ label: "The customer asked" });
      await dialog(page).getByRole("button", { name: "Reveal" }).press("Enter");
      await expectFocus(page, "Hide");
      await page.keyboard.press("Enter");
      await expectFocus(page, "Reveal with a reason…");
    });
  });

  test("a testimonial that was removed leaves the focus to the rest of its form", async () => {
    await on(
      "settings?view=testimonials",
      async (page) => {
        await button(page, "Add testimonial").press("Enter");
        await button(page, /^Remove/)
          .last()
          .press("Enter");
        await expectFocus(page, "Add testimonial");
      },
      "manager",
    );
  });

  test("a setting that was saved leaves the focus in its form", async () => {
    await on(
      "settings?view=limits",
      async (page) => {
        await page.getByLabel("Limit in pounds").fill("81");
        await button(page, "Review change").first().press("Enter");
        await dialog(page).getByRole("button", { name: "Change the limit" }).press("Enter");
        await dialog(page).waitFor({ state: "hidden" });
        await expectFocus(page, "Limit in pounds");
      },
      "manager",
    );
  });
});
