import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { orderStream } from "../../domain/order/events.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { addressOfOwned } from "../../infra/postgres/embedded.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { expectAccessible, expectNoSidewaysScroll, openBrowser } from "../../testing/browser/browser.ts";
import { type PlacedOrder, placeOrder, untilHistorySays } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { type people, type VisitOptions, visitAs } from "../../testing/browser/staff.ts";
import { appendDamaged, changeHash } from "../../testing/event-store/tampering-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";

// The history of one order was altered in the database: the back office says so, and what to do.

let product: Product;
let browser: Browser;
let order: PlacedOrder;
/** Repairs the order's history. */
let putRight: () => Promise<unknown>;
let close: () => Promise<void>;
beforeAll(async () => {
  const folder = temporaryFolder("e2e-parked");
  [product, browser] = await Promise.all([startProduct({ DATA_DIR: folder }), openBrowser()]);
  order = await placeOrder(product.url);
  await untilHistorySays(product.url, order, "deleted");
  const connectionString = (await addressOfOwned(folder)) ?? expect.fail("The database is not there.");
  const pool = createPool(connectionString, 2);
  const store = createPostgresEventStore({ pool, connectionString });
  close = async () => {
    await store.close();
    await pool.end();
    expect(await product.dispose()).toBe(0);
  };
  const stream = orderStream(order.id);
  // In a new event: a process does not read again those that it has seen.
  const { revision, hash } = await appendDamaged(store, stream, {
    type: "NoteAdded",
    data: { noteRef: "0c0ffee0-0000-4000-8000-000000000000" },
  });
  putRight = () => changeHash(pool, stream, revision, hash);
  const said = "1 order or ticket waits until repaired";
  await vi.waitFor(async () => expect(await degraded()).toContain(said), soon);
});
afterAll(async () => {
  await browser?.close();
  await close?.();
});

const readyz = () => fetch(`${product.url}/readyz`);
const degraded = async () => JSON.stringify((await (await readyz()).json()).degraded);

const on = (
  who: keyof typeof people,
  path: string,
  run: (page: Page) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> => visitAs({ browser, url: product.url }, who, path, run, options);

const parkedPath = "/accessadmin/compliance?view=parked";

test("The product stays ready and processes other orders", async () => {
  expect((await readyz()).status).toBe(200);
  await untilHistorySays(product.url, await placeOrder(product.url), "deleted");
});

test("The dashboard tells all staff, and links managers to the list", async () => {
  await on("staff", "/accessadmin/dashboard", async (page) => {
    await page.getByText("One order or ticket is parked").waitFor();
    await page.getByText("Managers can see details under Compliance.").waitFor();
  });
  await on("manager", "/accessadmin/dashboard", async (page) => {
    await page.getByRole("link", { name: "See details" }).click();
    await page.getByRole("link", { name: order.orderNumber }).waitFor();
  });
});

test("Its page says that it cannot be read", () =>
  on(
    "manager",
    `/accessadmin/orders/${order.orderNumber}`,
    async (page) => {
      await page.getByText("Its history cannot be read").waitFor();
    },
    { expected: /423/ },
  ));

test.each([320, 768, 1280])("The list is accessible and fits %i pixels", async (width) => {
  await on(
    "manager",
    parkedPath,
    async (page) => {
      await page.getByRole("link", { name: order.orderNumber }).waitFor();
      await expectAccessible(page, `parked at ${width}`);
      await expectNoSidewaysScroll(page, `parked at ${width}`);
    },
    { width },
  );
});

test("Compliance reads the list, and only a manager can retry", async () => {
  await on("compliance", parkedPath, async (page) => {
    await page.getByText("An event has been altered").waitFor();
    expect(await page.getByRole("button", { name: "Retry all" }).count()).toBe(0);
  });
  await on("manager", parkedPath, async (page) => {
    await page.getByText("All automatic tasks").waitFor();
    await page.getByRole("button", { name: "Retry all" }).click();
    await page.getByText(/^once, last/).waitFor();
    await putRight();
    await page.getByRole("button", { name: "Retry all" }).click();
    await page.getByText("Nothing is parked.").waitFor();
  });
  await expect.poll(degraded).toBe("[]");
});
