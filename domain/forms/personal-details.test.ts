import { describe, expect, it } from "vitest";
import { changed, person, problems, recipient } from "../../testing/domain/form-fixture.ts";
import { personalDetailsSchema, questionPersonalDetails } from "./personal-details.ts";

const said = (path: string, value: unknown) => problems(personalDetailsSchema, changed(person, path, value));

describe("Your Details", () => {
  it("takes good answers, tidied", () => {
    expect(personalDetailsSchema.parse(person)).toMatchObject({
      firstName: "Siân",
      address: { postcode: "NG1 1HN", line2: "" },
    });
  });

  it.each([
    ["title", "Title is required"],
    ["firstName", "First name is required"],
    ["lastName", "Last name is required"],
    ["address.line1", "Address line 1 is required"],
    ["address.town", "Town is required"],
    ["address.county", "County is required"],
    ["address.postcode", "Postcode is required"],
    ["address.country", "Country is required"],
    ["phone.daytime", "Daytime phone is required"],
  ])("%s missing, empty or blank: '%s'", (path, message) => {
    for (const nothing of [undefined, "", "   "])
      expect(said(path, nothing)).toEqual([`${path}: ${message}`]);
  });

  it.each([
    ["a soft line break from a word processor", "Ann\u000bMair", "Ann Mair"],
    ["a null character", "\u0000Ann\u0000", "Ann"],
    ["an escape", "Ann\u001b[2J", "Ann [2J"],
    ["a Welsh name", "Siân Ŵyn", "Siân Ŵyn"],
  ])("takes %s for what it can be on a form", (_, typed, kept) => {
    const { firstName, companyName } = personalDetailsSchema.parse(
      changed(changed(person, "firstName", typed), "companyName", typed),
    );
    expect([firstName, companyName]).toEqual([kept, kept]);
  });

  it.each(["companyName", "address.line2", "phone.evening"])("%s may be left out", (path) => {
    for (const nothing of [undefined, "", null]) expect(said(path, nothing)).toEqual([]);
  });

  it.each(["", "sian", "sian@", "sian@example", "a b@example.org"])("'%s' is no email address", (address) => {
    const both = changed(changed(person, "email", address), "confirmEmail", address);
    expect(problems(personalDetailsSchema, both)).toEqual([
      "email: Please enter a valid email address",
      "confirmEmail: Please enter a valid email address",
    ]);
  });

  it("says on the second address that the two do not match, even while other answers are missing", () => {
    expect(said("confirmEmail", "other@example.org")).toEqual(["confirmEmail: Email addresses do not match"]);
    const alsoNameless = changed(changed(person, "confirmEmail", "other@example.org"), "firstName", "");
    expect(problems(personalDetailsSchema, alsoNameless)).toContain(
      "confirmEmail: Email addresses do not match",
    );
  });

  it.each(["Mr", "Mrs", "Miss", "Ms", "Dr", "Prof"])("offers the title %s", (title) => {
    expect(said("title", title)).toEqual([]);
  });

  it("serves the United Kingdom only, and bounds what may be typed", () => {
    expect(said("address.country", "France")).toEqual(["address.country: Country is required"]);
    expect(said("firstName", "x".repeat(101))).toEqual(["firstName: Use 100 characters or fewer"]);
    expect(said("title", "Lord")).toEqual(["title: Title is required"]);
  });
});

describe("questions about Your Details", () => {
  it("are not asked about good answers", () => {
    expect(questionPersonalDetails(person)).toEqual([]);
  });

  it("name their fields and suggest an answer, and refuse nothing", () => {
    const answers = {
      ...person,
      email: "sian@gmial.com",
      confirmEmail: "sian@gmial.com",
      address: { ...person.address, postcode: "ng1 lhn" },
    };
    expect(questionPersonalDetails(answers)).toEqual([
      { field: "email", message: "Did you mean sian@gmail.com?", suggestion: "sian@gmail.com" },
      { field: "confirmEmail", message: "Did you mean sian@gmail.com?", suggestion: "sian@gmail.com" },
      {
        field: "address.postcode",
        message: "NG1 LHN does not look like a UK postcode. Did you mean NG1 1HN?",
        suggestion: "NG1 1HN",
      },
    ]);
    expect(personalDetailsSchema.safeParse(answers).success).toBe(true);
  });
});

describe("The recipient", () => {
  const said = (path: string, value: unknown) =>
    problems(personalDetailsSchema, changed({ ...person, recipient }, `recipient.${path}`, value));
  const parsed = (asked: object) => personalDetailsSchema.parse({ ...person, recipient: asked }).recipient;

  it("is the customer unless someone else is chosen", () => {
    expect(personalDetailsSchema.parse(person).recipient).toEqual({ postTo: "me" });
    expect(parsed({ ...recipient, postTo: "me" })).toEqual({ postTo: "me" });
    expect(parsed({ postTo: "me", fullName: "" })).toEqual({ postTo: "me" });
  });

  it("is taken like the customer's own address, tidied", () => {
    expect(parsed(recipient)).toEqual({ ...recipient, fullName: "Mair Evans", postcode: "LL57 1AA" });
  });

  it.each([
    ["fullName", "Recipient’s full name is required"],
    ["line1", "Recipient’s address line 1 is required"],
    ["town", "Recipient’s town is required"],
    ["county", "Recipient’s county is required"],
    ["postcode", "Recipient’s postcode is required"],
  ])("%s missing, empty or blank: '%s'", (path, message) => {
    for (const nothing of [undefined, "", "   "])
      expect(said(path, nothing)).toEqual([`recipient.${path}: ${message}`]);
  });

  it("has a postcode that is questioned like the customer's", () => {
    const asked = questionPersonalDetails({ ...person, recipient: { ...recipient, postcode: "LL57 1A" } });
    expect(asked.map(({ field }) => field)).toEqual(["recipient.postcode"]);
  });
});

describe("The customer's own reference", () => {
  const parsed = (typed: unknown) => personalDetailsSchema.parse({ ...person, customerReference: typed });

  it.each([
    ["\u0000 SMITH/42\n", "SMITH/42"],
    ["two\nlines\tand a tab", "two lines and a tab"],
    ["Achos Ŵyn 1", "Achos Ŵyn 1"],
    ["x".repeat(40), "x".repeat(40)],
    [null, ""],
    [undefined, ""],
  ])("%j is kept as %j", (typed, kept) => {
    expect(parsed(typed).customerReference).toBe(kept);
  });

  it("has at most 40 characters", () => {
    expect(problems(personalDetailsSchema, { ...person, customerReference: "x".repeat(41) })).toEqual([
      "customerReference: Use 40 characters or fewer",
    ]);
  });
});
