import { createHash, createVerify } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { expectAccessible, expectNoSidewaysScroll, openBrowser } from "../../testing/browser/browser.ts";
import { type PlacedOrder, placeOrder, untilHistorySays } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { type people, type VisitOptions, visitAs } from "../../testing/browser/staff.ts";
import { soon } from "../../testing/setup/patience.ts";

let product: Product;
let browser: Browser;
let order: PlacedOrder;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  order = await placeOrder(product.url);
  await untilHistorySays(product.url, order, "deleted");
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** Opens a view of the compliance page. */
const on = (
  view: string,
  run: (page: Page) => Promise<void>,
  { who = "compliance", ...options }: VisitOptions & { who?: keyof typeof people } = {},
): Promise<void> =>
  visitAs({ browser, url: product.url }, who, `/accessadmin/compliance?view=${view}`, run, options);

const rowOf = (page: Page, { orderNumber }: PlacedOrder) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: orderNumber }) });

test("The register shows the purge with its receipt, keeps its filters in the URL, and links to the order", () =>
  on("purges", async (page) => {
    const row = rowOf(page, order);
    await row.getByText("Submitted to the GRO").waitFor();
    expect(await row.getByText("Unreadable").count()).toBe(1);
    await page.getByLabel("Result", { exact: true }).selectOption("Late, failed or receipt undelivered");
    await page.getByText("No purges match these filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("troubled")).toBe("1");
    await page.reload();
    await page
      .getByRole("button", { name: "Remove the filter Result: Late, failed or receipt undelivered" })
      .click();
    await row.getByRole("link", { name: order.orderNumber }).click();
    await page.getByRole("heading", { level: 1 }).getByText(order.orderNumber).waitFor();
  }));

test("The register's signed file can be verified", () =>
  on("purges", async (page) => {
    await rowOf(page, order).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export signed file" }).click(),
    ]);
    const { csv, statement, signature, publicKeyPem } = z
      .object({
        csv: z.string(),
        statement: z.string(),
        signature: z.string(),
        publicKeyPem: z.string(),
      })
      .parse(JSON.parse(readFileSync(await download.path(), "utf8")));
    expect(csv).toContain(order.orderNumber);
    const check = (text: string) =>
      createVerify("sha256").update(text).verify(publicKeyPem, Buffer.from(signature, "base64"));
    expect([check(statement), check(`${statement} `)]).toEqual([true, false]);
    expect(statement).toContain(createHash("sha256").update(csv).digest("hex"));
    expect(download.suggestedFilename()).toMatch(/^purges-.*\.json$/);
  }));

test("The register's proofs can be taken along once the log is signed", () =>
  on("purges", async (page) => {
    await rowOf(page, order).waitFor();
    // Until then the page would say so.
    const proof = `${product.url}/api/orders/lookup/${order.orderNumber}/order.tlog-proof`;
    await expect.poll(async () => (await fetch(proof)).status, soon).toBe(200);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes("/purge-proofs")),
      page.getByRole("button", { name: "Export proofs" }).click(),
    ]);
    expect(answer.status()).toBe(200);
  }));

test("Purges due later are listed with their date", () =>
  on("due", async (page) => {
    // The contact data of a completed order falls due after a year; until then there may be nothing.
    await page.getByRole("table", { name: "Data to be destroyed" }).waitFor();
    await page
      .getByText(/Contact data|Nothing is waiting to be destroyed\./)
      .first()
      .waitFor();
  }));

test("The whole log is audited on demand and found intact", () =>
  on("audit", async (page) => {
    await page.getByRole("button", { name: "Audit the whole log" }).click();
    await page.getByRole("row").filter({ hasText: "Whole log" }).getByText("Intact").first().waitFor();
    await page.getByText(/Each event is checked as it is recorded/).waitFor();
  }));

test("A reveal of personal data is in the access log, with name and reason", async () => {
  await on("purges", (page) => lookAtContact(page), { who: "staff" });
  await on("access", async (page) => {
    const row = rowOf(page, order);
    await row.getByText("The customer asked").waitFor();
    await row.getByRole("button", { name: "Robin Ellis" }).click();
    await page.getByRole("button", { name: "Show everyone" }).waitFor();
    expect(new URL(page.url()).searchParams.get("staffId")).toMatch(/^user_/);
  });
});

/** Reveals like the order page, with the session's token. */
async function lookAtContact(page: Page): Promise<void> {
  const answer = await page.request.post("/sandbox/identity/session-token");
  const { token } = z.object({ token: z.string() }).parse(await answer.json());
  const revealed = await page.request.post(`/api/admin/orders/${order.orderNumber}/reveal`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { dataClass: "contact", reason: "customerAsked" },
  });
  expect(revealed.status()).toBe(200);
}

test("The retention schedule and the record of processing can be read", async () => {
  await on("retention", async (page) => {
    await page.getByRole("row").filter({ hasText: "The GRO has the application" }).waitFor();
  });
  await on("processing", (page) => page.getByRole("heading", { name: "Ordering a certificate" }).waitFor());
});

test("Staff have no access", () =>
  on("purges", (page) => page.getByText("Your role does not have access to this page.").waitFor(), {
    who: "staff",
  }));

/** Content of each view once it is loaded. */
const settled: Readonly<Record<string, (page: Page) => Locator>> = {
  purges: (page) => page.getByRole("link", { name: order.orderNumber }),
  due: (page) =>
    page
      .getByRole("cell", { name: "Contact data" })
      .or(page.getByText("Nothing is waiting to be destroyed.")),
  audit: (page) => page.getByText("Each event is checked"),
  access: (page) => page.getByRole("link", { name: order.orderNumber }),
  retention: (page) => page.getByRole("cell", { name: "The GRO has the application" }),
  processing: (page) => page.getByRole("heading", { name: "Ordering a certificate" }),
};

test.each(Object.keys(settled))("The view %s is accessible, and fits every width", async (view) => {
  await on(view, async (page) => {
    await settled[view]?.(page).first().waitFor();
    for (const width of [1280, 768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `${view} at ${width}`);
      if (width !== 768) await expectAccessible(page, `${view} at ${width}`);
    }
  });
});
