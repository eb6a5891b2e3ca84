import type { Page } from "playwright-core";
import { answer, chooseDate } from "./wizard.ts";

/** Marriage and adoption, which a link pre-selects. */

/** Step 1 by `?type=`. Leaves the page on step 2. */
export async function startPreselected(page: Page, type: string): Promise<void> {
  await page.goto(`/order?type=${type}`);
  await page.getByRole("heading", { name: "Select Document Type" }).waitFor();
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  await page.getByRole("heading", { level: 1, name: "Your Details" }).waitFor();
}

/** Step 3 for a marriage of which only the year is known. */
export async function fillMarriage(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Whose marriage certificate is it?" }).waitFor();
  await page.getByLabel("Spouse 1's surname").fill("Llywelyn");
  await page.getByLabel("Spouse 1's forenames").fill("Dafydd");
  await page.getByLabel("Spouse 2's surname").fill("Prydderch");
  await page.getByLabel("Spouse 2's forenames").fill("I don't know");
  await chooseDate(page, "Date of marriage", ["I don't know", "I don't know", "1941"]);
  await page.getByLabel("Place of marriage").fill("Capel Seion, Aberteifi");
  await page.getByLabel("Registration district").fill("Cardigan");
  await answer(page, "Do you know the GRO Reference Number?", "No");
  await page.getByRole("button", { name: "Continue to Review" }).click();
}

/** Step 3 for an adoption by one parent, its order known by the year alone. */
export async function fillAdoption(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Whose adoption certificate is it?" }).waitFor();
  await page.getByLabel("Adoptive surname").fill("Llywelyn");
  await page.getByLabel("Adoptive forenames").fill("Anwen Mair");
  await page.getByRole("group", { name: "Gender" }).getByText("Female", { exact: true }).click();
  await chooseDate(page, "Date of birth", ["2", "May", "1961"]);
  await page.getByLabel("Adoptive parent 1's surname").fill("Llywelyn");
  await page.getByLabel("Adoptive parent 1's forenames").fill("Mair");
  await page.getByRole("group", { name: "Date of the order" }).getByLabel("Year").selectOption("1962");
  await page.getByLabel("Court").fill("Cardigan County Court");
  await answer(page, "Do you know the GRO Reference Number?", "No");
  await page.getByRole("button", { name: "Continue to Review" }).click();
}
