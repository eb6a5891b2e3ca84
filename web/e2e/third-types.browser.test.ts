import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { receivedByGro } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { fillAdoption, fillMarriage, startPreselected } from "../../testing/browser/wizard.ts";
import { soon } from "../../testing/setup/patience.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

async function buyPreselected(type: string, fill: (page: Page) => Promise<void>): Promise<Page> {
  const { page } = await newVisitor(browser, product.url);
  await startPreselected(page, type);
  await wizard.fillYourDetails(page, `${type.toLowerCase()}@example.org`);
  await page.getByText(/Whose .* certificate is it/).waitFor();
  await expectAccessible(page, `step 3, ${type}`);
  await expectNoSidewaysScroll(page, `step 3, ${type}`);
  await fill(page);
  return page;
}

async function payAndArrive(page: Page): Promise<unknown> {
  await wizard.sign(page);
  await page.getByRole("button", { name: "Pay £45.00" }).waitFor();
  await wizard.pay(page, wizard.cards.succeeds);
  const orderNumber = await wizard.confirmedOrderNumber(page);
  const received = await vi.waitFor(async () => {
    const applications = await receivedByGro(product.url, orderNumber);
    expect(applications).toHaveLength(1);
    return applications[0];
  }, soon);
  await page.context().close();
  return received;
}

it("buys a marriage certificate, pre-selected by a link", async () => {
  const page = await buyPreselected("MARRIAGE", fillMarriage);
  await page.getByText("Dafydd Llywelyn", { exact: true }).waitFor();
  await page.getByText("Marriage Certificate", { exact: true }).waitFor();
  expect(JSON.stringify(await payAndArrive(page))).toContain("Capel Seion");
});

it("buys an adoption certificate, pre-selected by a link", async () => {
  const page = await buyPreselected("adoption", fillAdoption);
  await page.getByText("Anwen Mair Llywelyn", { exact: true }).waitFor();
  expect(JSON.stringify(await payAndArrive(page))).toContain("Cardigan County Court");
});

it("shows a pre-selected type as a third card, which stays while others are tried and after coming back", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await page.goto("/order?type=Marriage");
  const card = page.getByRole("radio", { name: "Marriage Certificate" });
  await card.waitFor();
  expect(await card.isChecked()).toBe(true);
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await page.getByText("Birth Certificate", { exact: true }).click();
  await page.getByText("Marriage Certificate", { exact: true }).click();
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  await page.getByRole("heading", { level: 1, name: "Your Details" }).waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect.poll(() => card.isChecked()).toBe(true);
  await expectAccessible(page, "step 1, three cards");
  expect(faults).toEqual([]);
  await context.close();
});

it("offers only birth and death without such a link", async () => {
  const { page, context } = await newVisitor(browser, product.url);
  await page.goto("/order");
  await page.getByRole("radio", { name: "Death Certificate" }).waitFor();
  expect(await page.getByRole("radio", { name: /(Marriage|Adoption) Certificate/ }).count()).toBe(0);
  await context.close();
});
