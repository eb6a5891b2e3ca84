import { describe, expect, it } from "vitest";
import {
  adoption,
  birth,
  changed,
  death,
  marriage,
  person,
  problems,
  today,
} from "../../testing/domain/form-fixture.ts";
import { adoptionDetailsSchema } from "../certificates/adoption.ts";
import { birthDetailsSchema } from "../certificates/birth.ts";
import { deathDetailsSchema } from "../certificates/death.ts";
import { marriageDetailsSchema } from "../certificates/marriage.ts";
import { notKnown } from "./answers.ts";
import { certificateTypes, everyTypeOrderable, withType } from "./options.ts";
import { variantPayloadOf } from "./order-payload.ts";
import { personalDetailsSchema } from "./personal-details.ts";
import { applicationRecord } from "./sealed-records.ts";
import { variantRequest } from "./variant-request.ts";

const customer = personalDetailsSchema.parse(person);
const choice = {
  fullCopies: 2,
  shortCopies: 1,
  isPriority: false,
  totalPence: 9000,
  reference: "REF-2026-7",
};
const overTheWire = (payload: unknown): unknown => JSON.parse(JSON.stringify(payload));
const birthBody = overTheWire(
  variantPayloadOf(customer, "Birth", birthDetailsSchema(today).parse(birth), choice),
);
const deathBody = overTheWire(
  variantPayloadOf(customer, "Death", deathDetailsSchema(today).parse(death), choice),
);
const marriageOf = (answers: unknown) =>
  overTheWire(variantPayloadOf(customer, "Marriage", marriageDetailsSchema(today).parse(answers), choice));
const adoptionOf = (answers: unknown) =>
  overTheWire(variantPayloadOf(customer, "Adoption", adoptionDetailsSchema(today).parse(answers), choice));
const marriageBody = marriageOf(marriage);
const adoptionBody = adoptionOf(adoption);
const bodies = { Birth: birthBody, Death: deathBody, Marriage: marriageBody, Adoption: adoptionBody };
const schema = variantRequest(today);

describe("a variant that arrives", () => {
  it("is split into what the order decides on and what the vault keeps", () => {
    const { choice: order, application } = schema.parse(birthBody);
    expect(order).toEqual({
      certificateType: "Birth",
      copies: 2,
      shortCopies: 1,
      serviceLevel: "standard",
      deliveryMethod: "Post",
      apostille: false,
      groReferenceKnown: true,
      amountPence: 9000,
    });
    const { amount, ...rest } = Object(birthBody);
    expect(amount).toBe(90);
    expect(application).toEqual(rest);
    expect(applicationRecord.safeParse(application).success).toBe(true);
  });

  it.each(certificateTypes)("of type %s keeps every key that was sent", (type) => {
    const { amount, ...rest } = Object(bodies[type]);
    expect(amount).toBe(90);
    const parsed = schema.parse(bodies[type]);
    expect(parsed.choice.certificateType).toBe(type);
    expect(parsed.application).toEqual(rest);
    expect(applicationRecord.safeParse(parsed.application).success).toBe(true);
  });

  it("with an apostille is refused, since none has a price", () => {
    expect(problems(schema, changed(birthBody, "apostille", true))).toEqual([
      "apostille: An apostille cannot be ordered",
    ]);
    expect(schema.parse(changed(birthBody, "apostille", undefined)).choice.apostille).toBe(false);
  });

  it.each([
    ["certificateDetails.BirthCountry", "Country of birth is required"],
    ["certificateDetails.PlaceOfBirth", "Place of birth is required"],
    ["certificateDetails.SurnameAtBirth", "Surname at birth is required"],
    ["certificateDetails.ForenamesAtBirth", "Forenames at birth is required"],
    ["certificateDetails.gender", "Gender is required"],
    ["certificateDetails.DateOfBirth.Day", "Day is required"],
    ["certificateDetails.DateOfBirth.Month", "Month is required"],
    ["certificateDetails.DateOfBirth.Year", "Year is required"],
    ["certificateDetails.MotherForename", "Mother's forename is required"],
    ["certificateDetails.MotherMaidenName", "Mother's maiden name is required"],
    ["certificateDetails.MotherSurname", "Mother's surname is required"],
    ["eventDetails.EventRegistrationLocation", "Registration location is required"],
    ["eventDetails.YearRegistered", "Year registered is required"],
    ["eventDetails.GROReferenceKnown", "Please select Yes or No"],
    ["applyingForOwn", "Please select an option"],
    ["adopted", "Please select an option"],
    ["fullCertificateQty", "Number of copies is required"],
    ["amount", "Enter an amount in pounds"],
  ])("without %s: '%s'", (path, message) => {
    expect(problems(schema, changed(birthBody, path, undefined))).toEqual([`${path}: ${message}`]);
  });

  it.each([
    ["certificateDetails.DeathForename", "Deceased's forename is required"],
    ["certificateDetails.DeathSurname", "Deceased's surname is required"],
    ["certificateDetails.AgeAtDeath", "Age must be 0 or greater"],
    ["certificateDetails.Occupation", "Occupation is required"],
    ["certificateDetails.MotherForenames", "Mother's forenames are required"],
    ["certificateDetails.FatherForenames", "Father's/Parent's forenames are required"],
  ])("of a death without %s: '%s'", (path, message) => {
    expect(problems(schema, changed(deathBody, path, undefined))).toEqual([`${path}: ${message}`]);
  });

  it.each([
    ["certificateDetails.Spouse1Surname", "Spouse 1's surname is required"],
    ["certificateDetails.Spouse1Forenames", "Spouse 1's forenames are required"],
    ["certificateDetails.Spouse2Surname", "Spouse 2's surname is required"],
    ["certificateDetails.Spouse2Forenames", "Spouse 2's forenames are required"],
    ["certificateDetails.DateOfMarriage.Day", "Day is required"],
    ["certificateDetails.DateOfMarriage.Month", "Month is required"],
    ["certificateDetails.DateOfMarriage.Year", "Year is required"],
    ["certificateDetails.PlaceOfMarriage", "Place of marriage is required"],
    ["certificateDetails.RegistrationDistrict", "Registration district is required"],
    ["eventDetails.EventRegistrationLocation", "Registration location is required"],
    ["eventDetails.GROReferenceKnown", "Please select Yes or No"],
  ])("of a marriage without %s: '%s'", (path, message) => {
    expect(problems(schema, changed(marriageBody, path, undefined))).toEqual([`${path}: ${message}`]);
  });

  it.each([
    ["certificateDetails.AdoptiveSurname", "Adoptive surname is required"],
    ["certificateDetails.AdoptiveForenames", "Adoptive forenames are required"],
    ["certificateDetails.gender", "Gender is required"],
    ["certificateDetails.DateOfBirth.Day", "Day is required"],
    ["certificateDetails.DateOfBirth.Month", "Month is required"],
    ["certificateDetails.DateOfBirth.Year", "Year is required"],
    ["certificateDetails.AdoptiveParent1Surname", "Adoptive parent 1's surname is required"],
    ["certificateDetails.AdoptiveParent1Forenames", "Adoptive parent 1's forenames are required"],
    ["certificateDetails.DateOfOrder.Year", "Year is required"],
    ["eventDetails.EventRegistrationLocation", "Registration location is required"],
    ["eventDetails.GROReferenceKnown", "Please select Yes or No"],
  ])("of an adoption without %s: '%s'", (path, message) => {
    expect(problems(schema, changed(adoptionBody, path, undefined))).toEqual([`${path}: ${message}`]);
  });

  it("of a marriage without any surname is not looked for", () => {
    const one = changed(marriageBody, "certificateDetails.Spouse1Surname", notKnown);
    expect(problems(schema, one)).toEqual([]);
    expect(problems(schema, changed(one, "certificateDetails.Spouse2Surname", notKnown))).toEqual([
      "certificateDetails.Spouse2Surname: Enter the surname of at least one spouse",
    ]);
  });

  it("of an adoption may leave the order and the court out, and refuses an order to come", () => {
    const bare = changed(
      changed(adoptionBody, "certificateDetails.DateOfOrder", null),
      "certificateDetails.Court",
      null,
    );
    expect(schema.parse(bare).application.certificateDetails).toMatchObject({
      DateOfOrder: { Day: null, Month: null, Year: null },
      Court: "",
    });
    const later = { Day: 24, Month: "November", Year: 2026 };
    expect(problems(schema, changed(adoptionBody, "certificateDetails.DateOfOrder", later))).toEqual([
      "certificateDetails.DateOfOrder.Year: The date must be in the past",
    ]);
  });

  it("says what the forms allow to be unknown, and the server takes it", () => {
    const marriageUnsure = changed(
      changed(marriage, "dateOfMarriage", { day: notKnown, month: notKnown, year: "1941" }),
      "registrationDistrict",
      notKnown,
    );
    expect(schema.parse(marriageOf(marriageUnsure)).application.certificateDetails).toMatchObject({
      DateOfMarriage: { Day: null, Month: null, Year: 1941 },
      RegistrationDistrict: notKnown,
    });
    const adoptionUnsure = changed(adoption, "dateOfOrder", { day: "", month: "", year: "1962" });
    expect(schema.parse(adoptionOf(adoptionUnsure)).application.certificateDetails).toMatchObject({
      DateOfOrder: { Day: null, Month: null, Year: 1962 },
    });
  });

  it("needs a known type", () => {
    expect(problems(schema, changed(birthBody, "certificateType", "Divorce"))).toEqual([
      "certificateType: Certificate type is required",
    ]);
  });

  it.each(
    certificateTypes.flatMap((type) =>
      ["Scotland", "Northern Ireland"].map((place): [typeof type, string] => [type, place]),
    ),
  )("of type %s registered in %s stops before money is taken", (type, place) => {
    const elsewhere = changed(bodies[type], "eventDetails.EventRegistrationLocation", place);
    expect(problems(schema, elsewhere)).toEqual([
      expect.stringMatching(/^eventDetails.EventRegistrationLocation: .*please order there\.$/),
    ]);
  });

  it("of an adopted person's own birth stops before money is taken, and of their adoption does not", () => {
    const adopted = changed(birthBody, "adopted", true);
    expect(problems(schema, changed(adopted, "applyingForOwn", true))).toEqual([
      expect.stringMatching(/^adopted: .*0300 123 1837\.$/),
    ]);
    expect(problems(schema, changed(adopted, "applyingForOwn", false))).toEqual([]);
    expect(problems(schema, changed(changed(adoptionBody, "adopted", true), "applyingForOwn", true))).toEqual(
      [],
    );
  });

  it("keeps the rules of dates, of the year registered and of recent births", () => {
    expect(problems(schema, changed(birthBody, "eventDetails.YearRegistered", 1951))).toEqual([
      "eventDetails.YearRegistered: A birth cannot be registered before the year of birth",
    ]);
    expect(
      problems(
        schema,
        changed(birthBody, "certificateDetails.DateOfBirth", { Day: 30, Month: "February", Year: 1952 }),
      ),
    ).toEqual(["certificateDetails.DateOfBirth.Day: February 1952 has only 29 days"]);
    const recent = changed(birthBody, "eventDetails.YearRegistered", 2000);
    expect(problems(schema, changed(recent, "certificateDetails.PlaceOfBirth", "I don't know"))).toEqual([
      "certificateDetails.PlaceOfBirth: Births registered in the last 50 years need the place of birth",
    ]);
  });

  it("is counted and joined again, whatever was sent", () => {
    const wrong = changed(
      changed(deathBody, "certificateDetails.NumberOfCopies", 99),
      "certificateDetails.DeceasedName",
      "X",
    );
    expect(schema.parse(wrong).application.certificateDetails).toMatchObject({
      NumberOfCopies: 3,
      DeceasedName: "Owen Evans",
    });
  });

  it("takes a reference only when it is said to be known", () => {
    const unsure = changed(birthBody, "eventDetails.GROReferenceKnown", false);
    expect(schema.parse(unsure)).toMatchObject({
      choice: { groReferenceKnown: false },
      application: { gro: "" },
    });
    const empty = changed(birthBody, "gro", true);
    expect(schema.parse(empty)).toMatchObject({ choice: { groReferenceKnown: false } });
  });

  it.each([0, 6, 1.5, "two"])("of %s copies is refused", (quantity) => {
    expect(problems(schema, changed(birthBody, "fullCertificateQty", quantity))).toEqual([
      "fullCertificateQty: Choose 1 to 5 copies",
    ]);
  });
});

describe("a type that is switched off", () => {
  it.each(certificateTypes)("(%s) is refused, and the others are taken", (off) => {
    const orderable = withType(everyTypeOrderable, off, false);
    const restricted = variantRequest(today, () => orderable);
    const refused = certificateTypes.filter((type) => !restricted.safeParse(bodies[type]).success);
    expect(refused).toEqual([off]);
    expect(problems(restricted, bodies[off])).toEqual([
      `certificateType: ${off} certificates cannot be ordered at the moment`,
    ]);
    expect(withType(orderable, off, true)).toEqual(certificateTypes);
  });

  it("is asked about at every parse, so that a schema that lives for a day follows the setting", () => {
    let orderable = everyTypeOrderable;
    const restricted = variantRequest(today, () => orderable);
    expect(problems(restricted, marriageBody)).toEqual([]);
    orderable = withType(orderable, "Marriage", false);
    expect(problems(restricted, marriageBody)).toHaveLength(1);
  });
});
