import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  isFocused,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

const pdf = {
  name: "Tystysgrif Siân.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.7 Siân"),
};
const note = { name: "nodyn.txt", mimeType: "text/plain", buffer: Buffer.from("Nodyn bach") };

async function fillIn(page: Page, email: string): Promise<void> {
  await page.goto("/support");
  await page.getByLabel("What is it about?").selectOption({ label: "An order I placed" });
  await page.getByLabel("Your name").fill("Siân Rhŷs-Żak");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Subject").fill("Llythyr heb gyrraedd");
  await page.getByLabel("Message").fill("Ble mae fy nhystysgrif?");
}

async function sendForm(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { name: "We have received your message" }).waitFor();
  const link = await page.getByRole("link", { name: "Open the conversation" }).getAttribute("href");
  return link ?? "";
}

const messages = (page: Page) => page.getByRole("list", { name: "Messages" }).locator(":scope > li");

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

it.each([320, 768, 1280])("sends files with a message, and gives them back, at %i px", async (width) => {
  const { page, context, faults } = await newVisitor(browser, product.url, width);
  await fillIn(page, `files.${width}@example.org`);
  const box = page.getByLabel("Files (optional)");
  await box.setInputFiles([{ ...pdf, name: "page.exe", buffer: Buffer.from([0, 1, 2]) }]);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("link", { name: "page.exe is not an image, a PDF or plain text. Remove it" }).click();
  expect(await box.evaluate(isFocused)).toBe(true);
  await expectAccessible(page, `a refused file at ${width}`);

  await page.getByRole("button", { name: "Remove page.exe" }).click();
  expect(await box.evaluate(isFocused)).toBe(true);
  await box.setInputFiles([pdf]);
  await box.setInputFiles([note]);
  const chosen = page.getByRole("list", { name: "Chosen files" }).getByRole("listitem");
  expect(await chosen.count()).toBe(2);
  await expectNoSidewaysScroll(page, `chosen files at ${width}`);
  await expectAccessible(page, `chosen files at ${width}`);
  const link = await sendForm(page);

  await page.goto(link);
  await messages(page).first().waitFor();
  const files = messages(page).first().getByRole("list", { name: "Files" });
  expect(await files.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringContaining("Tystysgrif Siân.pdf"),
    expect.stringContaining("nodyn.txt"),
  ]);
  const file = await saved(page, () => files.getByRole("button", { name: pdf.name }).click());
  expect([file.name, file.bytes.toString()]).toEqual([pdf.name, "%PDF-1.7 Siân"]);

  await page.getByLabel("Your reply").fill("Un arall");
  await page.getByLabel("Files (optional)").setInputFiles([note]);
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByText("We have received your reply.").waitFor();
  await messages(page).nth(1).getByRole("button", { name: "nodyn.txt" }).waitFor();
  expect(await page.getByRole("list", { name: "Chosen files" }).count()).toBe(0);
  await expectNoSidewaysScroll(page, `a conversation with files at ${width}`);
  await expectAccessible(page, `a conversation with files at ${width}`);
  expect(faults.filter((fault) => !/422/.test(fault))).toEqual([]);
  await context.close();
});

it("names a file that can no longer be read, and sends the rest without it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "chosen-files-"));
  const path = join(folder, "symudwyd.txt");
  await writeFile(path, "Nodyn");
  const { page, context } = await newVisitor(browser, product.url, 320);
  await fillIn(page, "moved@example.org");
  const box = page.getByLabel("Files (optional)");
  await box.setInputFiles(path);
  await rm(folder, { recursive: true });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("link", { name: "symudwyd.txt cannot be read. Remove it, or" }).click();
  expect(await box.evaluate(isFocused)).toBe(true);
  await page.getByRole("button", { name: "Remove symudwyd.txt" }).click();
  await sendForm(page);
  await context.close();
});
