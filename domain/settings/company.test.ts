import { describe, expect, test } from "vitest";
import {
  type Company,
  contactLines,
  missingByLaw,
  placesFor,
  registrationLines,
  replyWords,
  telephoneWords,
} from "./company.ts";
import { enteredCompany } from "./settings-texts.ts";

const company: Company = {
  tradingName: "Ash & Oak",
  companyName: "Ash and Oak Certificates Ltd",
  companyNumber: "01234567",
  vatNumber: "",
  registeredIn: "England and Wales",
  registeredOffice: "",
  postalAddress: "1 High Street, Nottingham, NG1 1AA",
  supportEmail: "help@ashandoak.co.uk",
  telephone: "0115 496 0000",
  telephoneHours: "Monday to Friday, 9am to 5pm",
  replyWorkingDays: "1",
};
const unset: Company = {
  tradingName: "Ash & Oak",
  companyName: "",
  companyNumber: "",
  vatNumber: "",
  registeredIn: "",
  registeredOffice: "",
  postalAddress: "Nottingham, NG1, United Kingdom",
  supportEmail: "help@ashandoak.example",
  telephone: "",
  telephoneHours: "",
  replyWorkingDays: "",
};

/** The messages by field; empty when the details are taken. */
const faults = (change: Partial<Record<keyof Company, string>>): Record<string, string> =>
  Object.fromEntries(
    (enteredCompany.safeParse({ ...company, ...change }).error?.issues ?? []).map(({ path, message }) => [
      path.join("."),
      message,
    ]),
  );

describe("what the law demands", () => {
  test("is all there, or named", () => {
    expect(missingByLaw(company)).toEqual([]);
    expect(missingByLaw(unset)).toEqual([
      "companyName",
      "companyNumber",
      "registeredIn",
      "postalAddress",
      "supportEmail",
    ]);
  });

  test.each(["1 High Street, Nottingham", "PO Box 12, Nottingham, NG1 1AA", "P.O. Box 12, NG1 1AA"])(
    "is no address like %s",
    (postalAddress) => {
      expect(missingByLaw({ ...company, postalAddress })).toEqual(["postalAddress"]);
    },
  );

  test.each(["help@kithandcopy.example", "help@example.com", "help@shop.test", "help@sub.example.org"])(
    "is no email address like %s",
    (supportEmail) => {
      expect(missingByLaw({ ...company, supportEmail })).toEqual(["supportEmail"]);
    },
  );
});

describe("the details in words", () => {
  test("leave out what is not set", () => {
    expect(registrationLines(unset)).toEqual([]);
    expect(telephoneWords(unset)).toBe("");
    expect(replyWords(unset)).toBe("");
    expect(contactLines(unset)).toEqual(["help@ashandoak.example", "Nottingham, NG1, United Kingdom"]);
  });

  test("say who is behind the trading name, and how to reach it", () => {
    expect(registrationLines({ ...company, registeredOffice: "2 Low Street, Derby, DE1 1AA" })).toEqual([
      "Ash & Oak is a trading name of Ash and Oak Certificates Ltd.",
      "Company number 01234567, registered in England and Wales.",
      "Registered office: 2 Low Street, Derby, DE1 1AA.",
    ]);
    expect(registrationLines({ ...company, companyName: "Ash & Oak" })).toHaveLength(1);
    expect(registrationLines({ ...unset, vatNumber: "GB123456789" })).toEqual([
      "VAT registration number GB123456789.",
    ]);
    expect(telephoneWords(company)).toBe("Telephone 0115 496 0000 (Monday to Friday, 9am to 5pm)");
    expect(telephoneWords({ ...company, telephoneHours: "" })).toBe("Telephone 0115 496 0000");
    expect(replyWords(company)).toBe("We usually reply within one working day.");
    expect(replyWords({ ...company, replyWorkingDays: "3" })).toBe("We usually reply within 3 working days.");
  });
});

describe("entered details", () => {
  test.each(["GB123456789", "gb 123 4567 89", "123456789", ""])("may have the VAT number %j", (vatNumber) => {
    expect(faults({ vatNumber })).toEqual({});
  });

  test.each(["GB12345678", "FR123456789", "none"])("have no VAT number %s", (vatNumber) => {
    expect(faults({ vatNumber })).toEqual({ vatNumber: "A VAT number has 9 digits, like GB123456789" });
  });

  test("are taken whole, and with nothing but a name and two addresses", () => {
    expect(faults({})).toEqual({});
    expect(enteredCompany.safeParse(unset).success).toBe(true);
    expect(
      enteredCompany.parse({ ...company, companyNumber: " sc123456 ", registeredIn: "Scotland" }),
    ).toMatchObject({ companyNumber: "SC123456" });
  });

  test.each([
    ["tradingName", " "],
    ["tradingName", "Kith\nBcc: somebody@post.example"],
    ["tradingName", "Kith\u2028Copy"],
    ["tradingName", "Kith\u0000Copy"],
    ["tradingName", "Kith\tCopy"],
    ["registeredOffice", "1 High Street\nNottingham"],
    ["supportEmail", "help"],
    ["postalAddress", ""],
  ])("are refused with %s %j: they go into mails and pages, on one line", (field, value) => {
    expect(Object.keys(faults({ [field]: value }))).toEqual([field]);
  });

  test.each(["1234567", "012345678", "1A234567", "SC12345"])("have no company number %s", (companyNumber) => {
    expect(faults({ companyNumber })).toHaveProperty("companyNumber");
  });

  test("agree on where the company is registered", () => {
    expect(faults({ companyNumber: "SC123456" })).toEqual({
      registeredIn: "A company numbered SC123456 is registered in Scotland",
    });
    expect(faults({ registeredIn: "Wales" })).toEqual({});
    expect(faults({ registeredIn: "" })).toEqual({ registeredIn: "Choose where the company is registered" });
    expect(faults({ companyNumber: "" })).toEqual({ companyNumber: "Enter the company number too" });
    expect(faults({ companyName: "" })).toEqual({ companyName: "Enter the registered name of the company" });
    expect(placesFor("NI123456")).toEqual(["Northern Ireland"]);
    expect(placesFor("OC123456")).toEqual(["England and Wales", "Wales"]);
    expect(placesFor("FC123456")).toHaveLength(4);
  });

  test.each([
    "0115 496 0000",
    "020 7946 0000",
    "+44 115 496 0000",
    "+44 (0)115 496 0000",
    "0800 123 4567",
    "(01632) 960 000",
  ])("have the telephone number %s", (telephone) => {
    expect(faults({ telephone })).toEqual({});
  });

  test("have no number that costs more than the basic rate, none from abroad, and no hours without one", () => {
    expect(faults({ telephone: "0844 123 4567" }).telephone).toMatch("basic rate");
    expect(faults({ telephone: "0905 123 4567" }).telephone).toMatch("basic rate");
    for (const telephone of ["+33 1 23 45 67 89", "496 0000", "070 1234 5678", "ask at the desk"]) {
      expect(faults({ telephone }).telephone).toMatch("Enter a UK telephone number");
    }
    expect(faults({ telephone: "" })).toEqual({
      telephone: "Enter the telephone number too, or leave its hours empty",
    });
  });

  test.each(["0", "11", "soon"])("promise no reply in %s working days", (replyWorkingDays) => {
    expect(faults({ replyWorkingDays })).toHaveProperty("replyWorkingDays");
  });
});
