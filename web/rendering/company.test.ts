import { describe, expect, test } from "vitest";
import { wordsOf } from "../../testing/pages/rendered-page.ts";

const company = {
  companyName: "Ash and Oak Certificates Ltd",
  companyNumber: "01234567",
  registeredIn: "England and Wales",
  registeredOffice: "2 Low Street, Derby, DE1 1AA",
  telephone: "0115 496 0000",
  telephoneHours: "Monday to Friday, 9am to 5pm",
  replyWorkingDays: "2",
} as const;
const trading = "Ash &amp; Oak is a trading name of Ash and Oak Certificates Ltd.";
const number = "Company number 01234567, registered in England and Wales.";
const office = "Registered office: 2 Low Street, Derby, DE1 1AA.";
const telephone = "Telephone 0115 496 0000 (Monday to Friday, 9am to 5pm)";

describe("who we are", () => {
  test.each(["/", "/order", "/privacy", "/lookup"])("is at the foot of %s", async (path) => {
    const words = await wordsOf(path, company);
    for (const line of [trading, number, office, telephone]) expect(words).toContain(line);
  });

  test.each(["/about", "/support"])("is on %s with the telephone and the usual reply time", async (path) => {
    const words = await wordsOf(path, company);
    expect(words).toContain("We usually reply within 2 working days.");
    expect(words.split(telephone).length).toBeGreaterThan(2);
  });

  test("is in the terms", async () => {
    expect(await wordsOf("/terms", company)).toContain(
      `${trading} ${number} ${office} Write to help@ash.example, ${telephone}, 1 Test Street, Nottingham.`,
    );
  });

  test.each(["/", "/about", "/support", "/terms"])("leaves out on %s what is not set", async (path) => {
    expect(await wordsOf(path)).not.toMatch(
      /trading name of Ash|Company number|Registered office|Telephone|usually reply/,
    );
  });
});
