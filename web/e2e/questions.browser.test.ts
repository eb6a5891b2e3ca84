import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, isFocused, newVisitor, openBrowser } from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import * as wizard from "../../testing/browser/wizard.ts";
import { startPreselected } from "../../testing/browser/wizard.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await product?.dispose()).toBe(0);
});

/** The words of the summary's links, each of which must lead to a control, and show it with its name. */
async function messagesOn(page: Page, button: string): Promise<string[]> {
  await page.getByRole("button", { name: button }).click();
  await wizard.errorSummary(page).waitFor();
  const links = wizard.errorSummary(page).getByRole("link");
  for (const link of await links.all()) {
    await link.click();
    const target = await link.getAttribute("href");
    expect(await page.evaluate(() => `#${document.activeElement?.id}`), await link.innerText()).toBe(target);
    expect(await isShown(page), await link.innerText()).toBe(true);
  }
  return links.allInnerTexts();
}

/** Whether the control that has the focus can be seen with the name of its question: its label, or its group's legend. */
const isShown = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const control = document.activeElement;
    const name =
      control?.closest("fieldset[aria-describedby]")?.querySelector("legend") ??
      document.querySelector(`label[for="${control?.id}"]`);
    return [control, name].every((part) => {
      const { top, bottom } = part?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
      return top >= 0 && bottom <= innerHeight;
    });
  });

it("says every message of Your Details", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url, 320);
  await wizard.chooseDocument(page, "Birth");
  const button = "Continue to Certificate Details";
  expect(await messagesOn(page, button)).toEqual([
    "Title is required",
    "First name is required",
    "Last name is required",
    "Please enter a valid email address",
    "Please enter a valid email address",
    "Address line 1 is required",
    "Town is required",
    "County is required",
    "Postcode is required",
    "Daytime phone is required",
  ]);
  await page.getByLabel("Email", { exact: true }).fill("sian@example.org");
  await page.getByLabel("Confirm email").fill("sion@example.org");
  await wizard.errorSummary(page).getByRole("link", { name: "Email addresses do not match" }).click();
  expect(await page.getByLabel("Confirm email").evaluate(isFocused)).toBe(true);
  expect(await page.getByLabel("Country").isDisabled()).toBe(true);
  expect(await page.getByLabel("Country").inputValue()).toBe("United Kingdom");
  expect(await page.getByLabel("Title").locator("option").allInnerTexts()).toEqual([
    "Select",
    "Mr",
    "Mrs",
    "Miss",
    "Ms",
    "Dr",
    "Prof",
  ]);
  expect(faults).toEqual([]);
  await context.close();
});

it("says every message of a birth, whose lists hold 31 days and 121 years", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "sian@example.org");
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  expect(await messagesOn(page, "Continue to Review")).toEqual([
    "Place of birth is required",
    "Surname at birth is required",
    "Forenames at birth is required",
    "Gender is required",
    "Day is required",
    "Month is required",
    "Year is required",
    "Mother's forename is required",
    "Mother's maiden name is required",
    "Mother's surname is required",
    "Year registered is required",
    "Please select Yes or No",
    "Please select an option",
  ]);
  const date = page.getByRole("group", { name: "Date of birth" });
  const numbers = async (label: string) =>
    (await date.getByLabel(label).locator("option").allInnerTexts()).filter((words) => /^\d+$/.test(words));
  expect(await numbers("Day")).toHaveLength(31);
  expect(await numbers("Year")).toHaveLength(121);
  await wizard.chooseDate(page, "Date of birth", ["31", "February", "1950"]);
  await wizard.errorSummary(page).getByRole("link", { name: "February 1950 has only 28 days" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it("says every message of a death, and asks a woman's marital status alone", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Death");
  await wizard.fillYourDetails(page, "sian@example.org");
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  expect(await messagesOn(page, "Continue to Review")).toEqual([
    "Deceased's forename is required",
    "Deceased's surname is required",
    "Gender is required",
    "Day is required",
    "Month is required",
    "Year is required",
    "Place of death is required",
    "Age must be 0 or greater",
    "Mother's forenames are required",
    "Mother's surname is required",
    "Father's/Parent's forenames are required",
    "Father's/Parent's surname is required",
    "Occupation is required",
    "Please select Yes or No",
  ]);
  await page.getByLabel("Age at death").fill("81.5");
  await wizard.errorSummary(page).getByRole("link", { name: "Age must be a whole number" }).waitFor();
  await page.getByLabel("Age at death").fill("-1");
  await wizard.errorSummary(page).getByRole("link", { name: "Age must be 0 or greater" }).waitFor();
  const gender = page.getByRole("group", { name: "Gender" });
  expect(await page.getByLabel("Marital status").count()).toBe(0);
  await gender.getByText("Female", { exact: true }).click();
  expect(await page.getByLabel("Marital status").locator("option").allInnerTexts()).toEqual([
    "Select",
    "Single",
    "Married",
    "Divorced",
    "Widowed",
  ]);
  await gender.getByText("Male", { exact: true }).click();
  await expect.poll(() => page.getByLabel("Marital status").count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it("says every message of a marriage and of an adoption", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await startPreselected(page, "marriage");
  await wizard.fillYourDetails(page, "sian@example.org");
  await page.getByRole("heading", { name: "Whose marriage certificate is it?" }).waitFor();
  expect(await messagesOn(page, "Continue to Review")).toEqual([
    "Spouse 1's surname is required",
    "Spouse 1's forenames are required",
    "Spouse 2's surname is required",
    "Spouse 2's forenames are required",
    "Day is required",
    "Month is required",
    "Year is required",
    "Place of marriage is required",
    "Registration district is required",
    "Please select Yes or No",
  ]);
  await startPreselected(page, "adoption");
  await wizard.fillYourDetails(page, "sian@example.org");
  await page.getByRole("heading", { name: "Whose adoption certificate is it?" }).waitFor();
  expect(await messagesOn(page, "Continue to Review")).toEqual([
    "Adoptive surname is required",
    "Adoptive forenames are required",
    "Gender is required",
    "Day is required",
    "Month is required",
    "Year is required",
    "Adoptive parent 1's surname is required",
    "Adoptive parent 1's forenames are required",
    "Please select Yes or No",
  ]);
  expect(faults).toEqual([]);
  await context.close();
});

it("reads a pasted reference part by part, doubts what does not fit, and refuses nothing", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  await wizard.fillYourDetails(page, "sian@example.org");
  const reading = page.getByRole("region", { name: "How we read your reference" });
  const receipt = page.getByRole("complementary", { name: "Your order" });
  await wizard.answer(page, "Do you know the GRO Reference Number?", "Yes");
  await receipt.getByText("GRO search fee").waitFor();
  const box = page.getByLabel("GRO reference (optional)", { exact: true });
  await box.fill("p 0412, vol 28 Haverfordwest 8321 1984/1Q");
  for (const words of [
    "1984",
    "March quarter: registered from January to March",
    "Haverfordwest",
    "28",
    "412",
  ]) {
    await reading.getByText(words, { exact: true }).waitFor();
  }
  await reading.getByText(/go straight to the entry .* The price stays the same/).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: "Haverfordwest registration district." })
    .waitFor({ state: "attached" });
  expect(await receipt.getByText("GRO search fee").count()).toBe(0);
  await page.getByText("£45.00").first().waitFor();
  await expectAccessible(page, "step 3, a reference read");

  await page.getByLabel("Year registered").selectOption("1990");
  await reading.getByText("This says 1984, but your other answers say 1990. Is that right?").waitFor();
  await page.getByLabel("Surname at birth").fill("Smith");
  await page.getByLabel("Forenames at birth").fill("John William");
  await box.fill("Births Mar 1889   SMITH John William   St. Giles   1b   575");
  await reading.getByText("St. Giles", { exact: true }).waitFor();
  await box.fill("somewhere in Wales");
  await reading.getByText(/Is it a GRO reference\?/).waitFor();
  await page.getByRole("button", { name: "Continue to Review" }).click();
  await wizard.errorSummary(page).waitFor();
  expect((await wizard.errorSummary(page).getByRole("link").allInnerTexts()).join()).not.toMatch(
    /reference/i,
  );
  expect(faults).toEqual([]);
  await context.close();
});

it("takes what was perhaps meant with one press, and reads it out", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth");
  const email = page.getByLabel("Email", { exact: true });
  await email.fill("sian@gmial.com");
  await page.getByRole("status").filter({ hasText: "Did you mean sian@gmail.com?" }).waitFor();
  await expectAccessible(page, "step 2, a suggestion");
  await page.getByRole("button", { name: "Use sian@gmail.com" }).press("Enter");
  expect(await email.inputValue()).toBe("sian@gmail.com");
  expect(await email.evaluate(isFocused)).toBe(true);
  expect(await page.getByRole("button", { name: /^Use / }).count()).toBe(0);
  await page.getByLabel("Postcode").fill("sy23 iaa");
  await page.getByRole("button", { name: "Use SY23 1AA" }).click();
  expect(await page.getByLabel("Postcode").inputValue()).toBe("SY23 1AA");
  await page.reload();
  await expect.poll(() => email.inputValue()).toBe("sian@gmail.com");
  expect(await page.getByLabel("Postcode").inputValue()).toBe("SY23 1AA");
  expect(faults).toEqual([]);
  await context.close();
});

it("keeps each tab's draft to itself", async () => {
  const { page, context, faults } = await newVisitor(browser, product.url);
  await wizard.chooseDocument(page, "Birth", "2 copies");
  await page.getByLabel("First name").fill("Siân");
  const second = await context.newPage();
  await second.goto("/order?type=death");
  await second.getByRole("radio", { name: "Death Certificate" }).waitFor();
  await second.getByRole("button", { name: "Continue to Your Details" }).click();
  await second.getByLabel("First name").fill("Gwen");
  await page.reload();
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Siân");
  await page.getByText("Birth certificate", { exact: true }).waitFor();
  await page.getByText("£90.00").first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
