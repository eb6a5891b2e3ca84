import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { completeBirthDraft } from "../pages/draft-fixture.ts";

/** The wizard as a person uses it: by the words on the page. */

type Kind = "Birth" | "Death";

/** Step 1. Leaves the page on step 2. */
export async function chooseDocument(
  page: Page,
  kind: Kind,
  copies = "1 copy",
  service = "Standard",
): Promise<void> {
  await page.goto("/order");
  await page.getByRole("heading", { name: "Select Document Type" }).waitFor();
  await page.getByText(`${kind} Certificate`, { exact: true }).click();
  await page.getByLabel("Number of Copies").selectOption({ label: copies });
  await page.getByText(service, { exact: true }).first().click();
  await page.getByRole("button", { name: "Continue to Your Details" }).click();
  await page.getByRole("heading", { level: 1, name: "Your Details" }).waitFor();
}

/** Names and addresses that the steps are filled in with. */
export const typedNames = [
  "Siân",
  "Rhŷs-Żak",
  "Heol y Bont",
  "Aberystwyth",
  "Tŷ Ddewi",
  "Llywelyn",
  "Anwen",
  "Prydderch",
  "Dafydd",
  "Gwen",
  "Capel Seion",
] as const;

/** Step 2, filled in for one person. */
export async function fillYourDetails(page: Page, email: string): Promise<void> {
  await page.getByLabel("Title").selectOption("Mrs");
  await page.getByLabel("First name").fill("Siân");
  await page.getByLabel("Last name").fill("Rhŷs-Żak");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Confirm email").fill(email);
  await page.getByLabel("Address line 1").fill("1 Heol y Bont");
  await page.getByLabel("Town/City").fill("Aberystwyth");
  await page.getByLabel("County").fill("Ceredigion");
  await page.getByLabel("Postcode").fill("sy23 1aa");
  await page.getByLabel("Daytime phone").fill("01970 000000");
  await page.getByRole("button", { name: "Continue to Certificate Details" }).click();
}

/** Step 3 for a birth, or the same questions asked again. */
export async function fillBirth(page: Page, action = "Continue to Review"): Promise<void> {
  await answerBirth(page);
  await page.getByRole("button", { name: action }).click();
}

/** Its answers alone. */
export async function answerBirth(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Whose birth certificate is it?" }).waitFor();
  await page.getByLabel("Place of birth").fill("Tŷ Ddewi");
  await page.getByLabel("Surname at birth").fill("Llywelyn-Unmistakable");
  await page.getByLabel("Forenames at birth").fill("Anwen Mair");
  await page.getByRole("group", { name: "Gender" }).getByText("Female", { exact: true }).click();
  await chooseDate(page, "Date of birth", ["12", "March", "1984"]);
  await page.getByLabel("Father's surname").fill("Llywelyn");
  await page.getByLabel("Mother's forename").fill("Mair");
  await page.getByLabel("Mother's maiden name").fill("Prydderch");
  await page.getByLabel("Mother's surname").fill("Llywelyn");
  await page.getByLabel("Father's forename").fill("Dafydd");
  await page.getByLabel("Year registered").selectOption("1984");
  await answer(page, "Do you know the GRO Reference Number?", "No");
  await answer(page, "Is the person adopted?", "No");
}

/** Step 3 for a death. */
export async function fillDeath(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Whose death certificate is it?" }).waitFor();
  await page.getByLabel("Deceased's forename").fill("Gwen");
  await page.getByLabel("Deceased's surname").fill("Ellis");
  await page.getByRole("group", { name: "Gender" }).getByText("Female", { exact: true }).click();
  await page.getByLabel("Marital status").selectOption("Widowed");
  await chooseDate(page, "Date of death", ["2", "February", "2020"]);
  await page.getByLabel("Place of death").fill("Bangor");
  await page.getByLabel("Age at death").fill("87");
  await page.getByLabel("Occupation").fill("Teacher");
  await page.getByLabel("Mother's forenames").fill("Ann");
  await page.getByLabel("Mother's surname").fill("Puw");
  await page.getByLabel("Father's/Parent's forenames").fill("Ifan");
  await page.getByLabel("Father's/Parent's surname").fill("Puw");
  await answer(page, "Do you know the GRO Reference Number?", "No");
  await page.getByRole("button", { name: "Continue to Review" }).click();
}

/** Presses a button by the keyboard. */
export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("button", { name, exact: true }).press("Enter");

/** Waits for a step, whose heading takes the focus. */
export async function arrive(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name }).and(page.locator(":focus")).waitFor();
}

/** From the review to step 3 of another certificate. */
export async function addAnother(page: Page, kind: Kind): Promise<void> {
  await arrive(page, "Review & Sign");
  await press(page, "Add another certificate");
  await arrive(page, "Select Document Type");
  await page.getByRole("radio", { name: `${kind} Certificate` }).press("Space");
  await press(page, "Continue to Certificate Details");
}

/** What is wrong with a step, on top of it: a link for each message. */
export const errorSummary = (page: Page): Locator =>
  page.getByRole("alert").filter({ hasText: "There is a problem" });

/** The three answers of a date. */
export async function chooseDate(
  page: Page,
  name: string,
  [day, month, year]: [string, string, string],
): Promise<void> {
  const date = page.getByRole("group", { name });
  await date.getByLabel("Day").selectOption(day);
  await date.getByLabel("Month").selectOption(month);
  await date.getByLabel("Year").selectOption(year);
}

export async function answer(page: Page, question: string, words: string): Promise<void> {
  await page.getByRole("group", { name: question }).getByText(words, { exact: true }).click();
}

/** Step 4. Leaves the page on step 5. */
export async function sign(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
  await page.getByLabel("Signature").fill("Siân Rhŷs-Żak");
  await page.getByLabel(/I accept the/).check();
  await page.getByLabel(/I ask you to start now/).check();
  await page.getByRole("button", { name: "Continue to Payment" }).click();
  await page.getByRole("heading", { level: 1, name: "Payment" }).waitFor();
}

/** Fills in the card form of the payment provider. */
export async function fillCard(page: Page, cardNumber: string): Promise<void> {
  const card = page.frameLocator("iframe").first();
  await card.getByLabel("Card number").fill(cardNumber);
  await card.getByLabel("Expiry date").fill("12 / 34");
  await card.getByLabel("Security code").fill("123");
}

export const pressPay = (page: Page): Promise<void> => page.getByRole("button", { name: /^Pay £/ }).click();

export async function pay(page: Page, cardNumber: string): Promise<void> {
  await fillCard(page, cardNumber);
  await pressPay(page);
}

/** Everything up to the card. */
export async function reachPayment(page: Page, kind: Kind, email: string): Promise<void> {
  await chooseDocument(page, kind);
  await fillYourDetails(page, email);
  await (kind === "Birth" ? fillBirth(page) : fillDeath(page));
  await sign(page);
}

/** Step 4 of a birth certificate, on a draft as the wizard keeps it: for tests of what comes after the answers. */
export async function openReview(page: Page, email: string): Promise<void> {
  const draft = completeBirthDraft();
  const unsigned = {
    ...draft,
    ...{ id: randomUUID(), step: 4, signature: "", acceptsTerms: false, asksToBegin: false },
    // Another total than what is signed for would ask for the signature again.
    total: 45,
    personalDetails: { ...draft.personalDetails, email, confirmEmail: email },
  };
  await page.addInitScript((kept) => {
    // Once: the wizard may have changed or deleted it since.
    if (sessionStorage.getItem("drafted") !== null) return;
    sessionStorage.setItem("drafted", "yes");
    sessionStorage.setItem("order-draft", kept);
  }, JSON.stringify(unsigned));
  await page.goto("/order");
  await page.getByRole("heading", { level: 1, name: "Review & Sign" }).waitFor();
}

/** The same, signed: step 5. */
export async function openPayment(page: Page, email: string): Promise<void> {
  await openReview(page, email);
  await sign(page);
}

export const cards = {
  succeeds: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  threeDSecure: "4000 0025 0000 3155",
} as const;

/** The number on the confirmation, once it is there. */
export async function confirmedOrderNumber(page: Page): Promise<string> {
  await page.getByRole("heading", { name: "Order Confirmed" }).waitFor();
  const number = new URL(page.url()).searchParams.get("orderNumber");
  if (!number) throw new Error("The confirmation's address has no order number.");
  return number;
}

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
