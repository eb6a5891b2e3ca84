import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { receivedByGro } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";

// The spine on the other event store: the log is on a peer that speaks its protocol, everything else in Postgres.

let folder: string;
let fake: FakeEventStoreDb;
let product: Product;
let browser: Browser;
beforeAll(async () => {
  folder = temporaryFolder("peer");
  fake = await startFakeEventStoreDb({ file: join(folder, "log") });
  [product, browser] = await Promise.all([startProduct({ EVENTSTORE_URL: fake.url }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
  await fake?.stop();
});

it("buys a birth certificate to the certificate of deletion, over a restart of the event store", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.reachPayment(page, "Birth", "kurrent@example.org");
  await wizard.pay(page, wizard.cards.succeeds);
  const orderNumber = await wizard.confirmedOrderNumber(page);

  const { port } = fake;
  await fake.stop();
  fake = await startFakeEventStoreDb({ file: join(folder, "log"), port });

  await page.getByRole("link", { name: "Track My Order" }).click();
  await page.getByText("With Home Office").waitFor();
  await vi.waitFor(async () => {
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByRole("heading", { name: "Certificate of deletion" }).waitFor({ timeout: 1000 });
  }, soon);
  expect(await receivedByGro(product.url, orderNumber)).toHaveLength(1);
  expect(faults).toEqual([]);
  await context.close();
});

it("keeps the events of it there", () => {
  const types = fake.log.records
    .filter(({ stream }) => stream.startsWith("certificates."))
    .map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["OrderCreated", "PaymentConfirmed", "SubmittedToGRO"]));
});
