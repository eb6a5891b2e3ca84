import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { dialog, people, signInAs } from "../../testing/browser/staff.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

/**
 * A member of staff at the settings. A refused change is a failed call, which the console says: only such lines, and
 * those `expected`, are let pass.
 */
async function at(
  view: string,
  role: keyof typeof people = "manager",
  width = 1280,
  expected = /\b(409|422)\b/,
): Promise<Page> {
  const { context, page, faults } = await newVisitor(browser, product.url, width);
  onTestFinished(async () => {
    await context.close();
    expect(faults.filter((fault) => !expected.test(fault))).toEqual([]);
  });
  await signInAs(page, role);
  await page.goto(`/accessadmin/settings?view=${view}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** A visitor of the public site. */
async function visitor(path: string): Promise<Page> {
  const { context, page } = await newVisitor(browser, product.url);
  onTestFinished(() => context.close());
  await page.goto(path);
  return page;
}

const history = (page: Page) => page.getByRole("region", { name: "History" });

/** Presses the dialog's last button, and waits for what is said then. */
async function confirm(page: Page, label: string, said: string): Promise<void> {
  await dialog(page).getByRole("button", { name: label }).click();
  await page.getByRole("status").getByText(said).waitFor();
}

/** A day so many days from now, as a box for days takes it. */
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("Prices", () => {
  test("are scheduled after a preview and confirmation, and withdrawn again", async () => {
    const page = await at("prices");
    await page.getByLabel("Start date").fill(dayIn(30));
    await page.getByLabel("Birth, standard, in pounds").fill("49");
    const preview = page.getByRole("region", { name: /What customers will see from/ });
    await preview.getByText("One full copy of a birth certificate.").waitFor();
    await preview.getByText("One full copy of a death, marriage or adoption certificate.").waitFor();
    expect(await preview.getByText("£49.00").count()).toBe(1);
    await expectAccessible(page, "prices being scheduled");
    await page.getByRole("button", { name: "Review and schedule" }).click();
    await dialog(page).getByText("Birth: £49.00 standard, £75.00 priority").waitFor();
    await expectAccessible(page, "the question before prices are scheduled");
    await confirm(page, "Schedule these prices", "New prices are scheduled");
    const row = page.getByRole("row", { name: /scheduled/ });
    await row.getByText("£49.00").waitFor();
    await history(page)
      .getByText(/Prices from .* Birth: £49\.00/)
      .waitFor();
    await history(page).getByText(people.manager).first().waitFor();
    // They are not in force yet.
    const pricing = await visitor("/pricing");
    await pricing.getByRole("cell", { name: "£45.00" }).first().waitFor();
    expect(await pricing.getByText("£49.00").count()).toBe(0);

    await row.getByRole("button", { name: /Withdraw/ }).click();
    await confirm(page, "Withdraw", "have been withdrawn");
    await page.getByRole("row", { name: /scheduled/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("row", { name: /scheduled/ }).waitFor();
  });

  test("from today, or below the GRO's fees, are rejected beside their field", async () => {
    const page = await at("prices");
    await page.getByLabel("Start date").fill(dayIn(-1));
    await page.getByLabel("Death, priority, in pounds").fill("42");
    await page.getByLabel("Marriage, standard, in pounds").fill("a lot");
    await page.getByRole("button", { name: "Review and schedule" }).click();
    await page.getByText("At least £42.01").waitFor();
    await page.getByText("Enter a price in pounds and pence").waitFor();
    await page.getByText(/or a later date/).waitFor();
    await expectAccessible(page, "prices that are wrong");
    expect(await dialog(page).count()).toBe(0);
  });
});

describe("Two managers at once", () => {
  test("never overwrite one another: the second sees what changed, and keeps what was typed", async () => {
    const [one, other] = [await at("limits"), await at("limits", "otherManager")];
    await one.getByLabel("Limit in pounds").fill("60");
    await one.getByRole("button", { name: "Review change" }).first().click();
    await other.getByLabel("Limit in pounds").fill("70");
    await other.getByRole("button", { name: "Review change" }).first().click();
    await confirm(other, "Change the limit", "above £70.00");
    await dialog(one).getByRole("button", { name: "Change the limit" }).click();
    await dialog(one).getByText("This changed while you were viewing it.").waitFor();
    await dialog(one).getByText("Refund limit £70.00 (was £100.00).").waitFor();
    await expectAccessible(one, "a conflict");
    await dialog(one).getByRole("button", { name: "Close and review" }).click();
    await expect.poll(() => one.getByLabel("Limit in pounds").inputValue()).toBe("60");
    await one.getByText("Someone changed this while you were typing.").waitFor();
    await one.getByRole("button", { name: "Reload the saved version" }).click();
    await expect.poll(() => one.getByLabel("Limit in pounds").inputValue()).toBe("70.00");
  });

  test("see each other's changes automatically", async () => {
    const [one, other] = [await at("limits"), await at("limits", "otherManager")];
    await other.getByLabel("Limit in pounds").fill("81");
    await other.getByRole("button", { name: "Review change" }).first().click();
    await confirm(other, "Change the limit", "above £81.00");
    await expect.poll(() => one.getByLabel("Limit in pounds").inputValue()).toBe("81.00");
  });
});

describe("What customers meet", () => {
  test("cannot order a type that is switched off, by link or card, until it is on again", async () => {
    const page = await at("certificates");
    await page.getByRole("button", { name: "Switch off death certificates" }).click();
    await expectAccessible(page, "the question before a type is switched off");
    await confirm(page, "Switch off", "Death certificates are switched off.");

    const customer = await visitor("/order?type=death");
    const sentence = "Death certificates cannot be ordered here at the moment";
    await customer.getByRole("alert").getByText(sentence).waitFor();
    expect(await customer.getByRole("radio", { name: "Death Certificate" }).isDisabled()).toBe(true);
    expect(await customer.getByRole("radio", { name: "Birth Certificate" }).isChecked()).toBe(true);
    await expectAccessible(customer, "a type that is switched off");
    await customer.goto("/services");
    await customer.getByText("Death certificates cannot be ordered here at the moment.").waitFor();

    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();
    await customer.goto("/order?type=death");
    await customer.getByRole("radio", { name: "Death Certificate" }).waitFor();
    expect(await customer.getByRole("radio", { name: "Death Certificate" }).isChecked()).toBe(true);
    expect(await customer.getByText(sentence).count()).toBe(0);
  });

  test("shows the company details on every page", async () => {
    const page = await at("company");
    await page.getByLabel("Trading name").fill("Ash & Oak");
    await page.getByLabel("Support email").fill("help");
    await page.getByRole("button", { name: "Review change" }).click();
    await page.getByText("Enter an email address in the right format").waitFor();
    await expectAccessible(page, "company details that are wrong");
    await page.getByLabel("Support email").fill("help@ashandoak.example");
    await page.getByLabel("Company number").fill("01234567");
    await page.getByLabel("Telephone", { exact: true }).fill("0871 496 0000");
    await page.getByLabel("Telephone hours").fill("Monday to Friday, 9am to 5pm");
    await page.getByLabel("Usual reply time").fill("1");
    await page.getByRole("button", { name: "Review change" }).click();
    await page.getByText("Customers must not pay more than the basic rate").waitFor();
    await page.getByLabel("Telephone", { exact: true }).fill("0115 496 0000");
    await page.getByRole("button", { name: "Review change" }).click();
    await page.getByText("Enter the registered name of the company").waitFor();
    await page.getByLabel("Registered company name").fill("Ash and Oak Certificates Ltd");
    await page.getByLabel("Registered in").selectOption("England and Wales");
    await expectAccessible(page, "the company's details");
    await page.getByRole("button", { name: "Review change" }).click();
    await confirm(page, "Change details", "The company details have been changed.");
    const customer = await visitor("/about");
    await customer.getByRole("contentinfo").getByText("Company number 01234567").waitFor();
    await customer.getByRole("contentinfo").getByText("help@ashandoak.example").waitFor();
    await customer
      .getByRole("contentinfo")
      .getByText("Telephone 0115 496 0000 (Monday to Friday, 9am to 5pm)")
      .waitFor();
    expect(await customer.title()).toContain("Ash & Oak");
    await expectAccessible(customer, "a foot of the page that says who we are");
    const support = await visitor("/support");
    await support.getByText("We usually reply within one working day.").waitFor();
    await support.setViewportSize({ width: 320, height: 800 });
    await expectNoSidewaysScroll(support, "support with a telephone number");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();
  });

  test("shows testimonials with their source, and none when there are none", async () => {
    const before = await visitor("/");
    await before.getByText("We don’t show reviews we can’t prove.").waitFor();
    expect(await before.getByRole("heading", { name: "What customers say" }).count()).toBe(0);

    const page = await at("testimonials");
    await page.getByRole("button", { name: "Add testimonial" }).click();
    await page.getByLabel("Quote").fill("It came within a week.");
    await page.getByLabel("Name").fill("Mair Rhys");
    await page.getByRole("button", { name: "Review and publish" }).click();
    await page.getByText("Source is required").waitFor();
    await expectAccessible(page, "a testimonial without a source");
    await page.getByLabel("Source").fill("Letter of 3 March 2026");
    await page.getByRole("button", { name: "Review and publish" }).click();
    await confirm(page, "Publish", "The home page has been changed.");

    const after = await visitor("/");
    const said = after.getByRole("region", { name: "What customers say" });
    await said.getByText("It came within a week.").waitFor();
    await said.getByText("Mair Rhys, Letter of 3 March 2026").waitFor();
    await expectAccessible(after, "the home page with a testimonial");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();
  });
});

describe("Staff and roles", () => {
  test("lose access at once when revoked, and regain it on undo", async () => {
    // What the page asks for in the moment before it learns that its role is gone is refused.
    const member = await at("answers", "staff", 1280, /\b(401|403)\b/);
    const { userId } = await (await member.request.get("/api/me", { headers: await bearer(member) })).json();
    const page = await at("staff");
    await page.getByLabel("User id").fill("Jo Smith");
    await page.getByRole("button", { name: "Review and grant" }).click();
    await page.getByText("A user id has letters, digits").waitFor();
    await expectAccessible(page, "a user id that is wrong");
    const userIdBox = page.getByLabel("User id");
    expect(await userIdBox.evaluate((box) => box === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Review and revoke" }).click();
    expect(await userIdBox.evaluate((box) => box === document.activeElement)).toBe(true);
    await page.getByLabel("User id").fill(userId);
    await page.getByLabel(/^Staff can/).check();
    await page.getByRole("button", { name: "Review and grant" }).click();
    await confirm(page, "Grant role", "now has the role staff.");
    await page
      .getByRole("row", { name: new RegExp(people.staff) })
      .getByRole("button", { name: /Revoke/ })
      .click();
    await confirm(page, "Revoke", "access has been revoked.");
    // The open page notices because its update stream ends.
    await member.getByRole("heading", { name: "Access Denied" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();
  });

  test("who are not managers see no settings", async () => {
    const page = await at("prices", "staff");
    await expect.poll(() => page.getByRole("heading", { name: "Price lists" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
  });
});

describe("Refunds, retention and answers", () => {
  test("keep contact data no longer than the environment allows, and say what shortening destroys", async () => {
    const page = await at("limits");
    const days = page.getByRole("textbox", { name: "Days" });
    const review = page
      .getByRole("region", { name: /Retention/ })
      .getByRole("button", { name: "Review change" });
    await days.fill("400");
    await review.click();
    await page.getByText("Enter a number of days from 30 to 365").waitFor();
    await days.fill("180");
    await review.click();
    await dialog(page).getByText("Changing this setting back does not recover them").waitFor();
    await confirm(page, "Shorten and destroy", "Contact data is kept for 180 days.");
    await history(page).getByText("Contact data is kept for 180 days (was 365).").waitFor();
  });

  test("are written with variables, previewed, changed, removed and restored", async () => {
    const page = await at("answers");
    await page.getByLabel("Title").fill("Thank you");
    await page.getByLabel("Text").fill("Dear {{customerNme}}");
    await page.getByRole("button", { name: "Review and save" }).click();
    await page.getByText("There is no variable {{customerNme}}").waitFor();
    await expectAccessible(page, "an answer with an unknown variable");
    await page.getByLabel("Text").fill("Dear {{customerName}}, thank you for order {{orderNumber}}.");
    await page.getByText("Dear Mrs Siân Rhys, thank you for order 7K3M-Q9TX-2HVD4.").waitFor();
    await page.getByRole("button", { name: "Review and save" }).click();
    await confirm(page, "Add answer", "‘Thank you’ has been added.");
    await page.getByRole("button", { name: "Thank you", exact: true }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await confirm(page, "Remove", "‘Thank you’ has been removed.");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Thank you", exact: true }).waitFor();
    await history(page).getByText("Before and after").first().click();
    await expectAccessible(page, "the history of answers");
  });
});

describe("Every view", () => {
  test.each([320, 768, 1280])("fits %i px and is accessible", async (width) => {
    const page = await at("prices", "manager", width);
    for (const view of ["prices", "certificates", "company", "staff", "limits", "answers", "testimonials"]) {
      await page.goto(`/accessadmin/settings?view=${view}`);
      await history(page).waitFor();
      await expectNoSidewaysScroll(page, `${view} at ${width} px`);
      await expectAccessible(page, `${view} at ${width} px`);
    }
  });
});

/** The header of a session of the page's own, to ask who is signed in there. */
async function bearer(page: Page): Promise<Record<string, string>> {
  const asked = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await page.reload();
  return { Authorization: (await asked).headers().authorization ?? "" };
}
