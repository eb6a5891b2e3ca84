import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { verifyProof } from "../../services/operations/verify/verify-proof.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
  takenOver,
} from "../../testing/browser/browser.ts";
import { placeOrder, untilHistorySays } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { soon } from "../../testing/setup/patience.ts";

let product: Product;
let browser: Browser;
/** Of a real order, signed by the running product. */
let proof: string;
let key: string;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  const order = await placeOrder(product.url);
  await untilHistorySays(product.url, order, "sensitive data was deleted");
  const address = `${product.url}/api/orders/lookup/${order.orderNumber}/order.tlog-proof`;
  await vi.waitFor(async () => {
    const answer = await fetch(address);
    proof = await answer.text();
    expect(answer.status).toBe(200);
  }, soon);
  key = await (await fetch(`${product.url}/transparency/key`)).text();
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const choose = (page: Page, text: string) =>
  page
    .getByLabel("Proof file")
    .setInputFiles({ name: "order.tlog-proof", mimeType: "text/plain", buffer: Buffer.from(text) });

it("proves a deletion to the command, offline, with the key that the site publishes", async () => {
  const { holds, words } = await verifyProof(proof, [key]);
  expect(words).toContain("The proof holds.");
  expect(holds).toBe(true);
});

it.each([320, 768, 1280])("checks a file without sending it, at %i px", async (width) => {
  const { page, context, faults } = await newVisitor(browser, product.url, width);
  await page.goto("/verify");
  await takenOver(page);
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByText("Choose the file to check").waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("proof");
  await expectAccessible(page, "no file");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await choose(page, proof);
  const result = page.getByRole("main").getByRole("status");
  await result.getByText("The proof holds").waitFor();
  await result.getByText("certificate details, event details, GRO reference, signature").waitFor();
  await result.getByText("No witness that you know has signed this checkpoint.").waitFor();
  await result.getByText(/: key [0-9a-f]{8}, which this site publishes$/).waitFor();
  expect(sent.toSorted()).toEqual(["GET /transparency/keys", "GET /transparency/witnesses"]);
  await expectAccessible(page, "proof that holds");
  await expectNoSidewaysScroll(page, "proof that holds");

  await choose(page, proof.replace("index ", "index 1"));
  await result.getByText("The proof fails").waitFor();
  await choose(page, proof.replace(/\n\d+\n/, "\n9999\n"));
  await result.getByText("The signature does not match").waitFor();
  await choose(page, "not a proof");
  await result.getByText("This is not a complete proof").waitFor();
  await expectAccessible(page, "not a proof");
  await page.getByText("Use a key that you noted").click();
  await page.getByLabel("The log’s key").fill("a key");
  await page.getByRole("button", { name: "Check the file" }).click();
  await result.getByText("That is not a verifier key").waitFor();
  await page.getByLabel("The log’s key").fill(key);
  await choose(page, proof);
  await result.getByText(/, which you gave$/).waitFor();
  await expectAccessible(page, "proof that holds by a key given");
  expect(faults).toEqual([]);
  await context.close();
});

it.each([320, 768, 1280])("shows the newest checkpoint and its key, at %i px", async (width) => {
  const { page, context, faults } = await newVisitor(browser, product.url, width);
  await page.goto("/transparency");
  await page.getByText(key.trim()).waitFor();
  await page.getByText(/The log has \d+ records\./).waitFor();
  await expectAccessible(page, "public log");
  await expectNoSidewaysScroll(page, "public log");
  expect(faults).toEqual([]);
  await context.close();
});
