import { describe, expect, it } from "vitest";
import { birthDetailsSchema } from "./birth-details.ts";
import { deathDetailsSchema } from "./death-details.ts";
import { birth, changed, death, person, problems, today } from "./form-fixture.ts";
import { birthVariantPayloadOf, deathVariantPayloadOf, orderPayloadOf } from "./order-payload.ts";
import { createOrderRequest, lookupRequest, paymentIntentRequest, statusRequest } from "./order-requests.ts";
import { personalDetailsSchema } from "./personal-details.ts";
import { applicationRecord, contactRecord } from "./sealed-records.ts";
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
  birthVariantPayloadOf(customer, birthDetailsSchema(today).parse(birth), choice),
);
const deathBody = overTheWire(
  deathVariantPayloadOf(customer, deathDetailsSchema(today).parse(death), choice),
);
const orderBody = overTheWire(
  orderPayloadOf(customer, 9000, { signature: "S", termsVersion: 1, consentVersion: 1 }),
);

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

  it("of a death keeps every key that was sent", () => {
    const { amount, ...rest } = Object(deathBody);
    expect(amount).toBe(90);
    expect(schema.parse(deathBody).application).toEqual(rest);
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

  it("needs a known type", () => {
    expect(problems(schema, changed(birthBody, "certificateType", "Divorce"))).toEqual([
      "certificateType: Certificate type is required",
    ]);
  });

  it.each(["Scotland", "Northern Ireland"])("registered in %s stops before money is taken", (place) => {
    const elsewhere = changed(birthBody, "eventDetails.EventRegistrationLocation", place);
    expect(problems(schema, elsewhere)[0]).toMatch(
      /^eventDetails.EventRegistrationLocation: .*please order there\.$/,
    );
  });

  it("keeps the rules of dates and of recent births", () => {
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

describe("an order that arrives", () => {
  it("is taken with address and phone as JSON in a string, or as objects", () => {
    const fromStrings = createOrderRequest.parse(orderBody);
    expect(fromStrings).toMatchObject({
      quotedTotalPence: 9000,
      signature: "S",
      termsVersion: 1,
      consentVersion: 1,
    });
    expect(contactRecord.parse(fromStrings.contact)).toEqual(fromStrings.contact);
    const { contactAddress, contactPhone } = fromStrings.contact;
    const withObjects = changed(
      changed(orderBody, "contactAddress", contactAddress),
      "contactPhone",
      contactPhone,
    );
    expect(createOrderRequest.parse(withObjects)).toEqual(fromStrings);
  });

  it("may lack what is optional", () => {
    const bare = ["companyName", "signature", "termsVersion", "consentVersion"].reduce<unknown>(
      (body, path) => changed(body, path, undefined),
      orderBody,
    );
    expect(createOrderRequest.parse(bare)).toMatchObject({
      signature: "",
      termsVersion: null,
      consentVersion: null,
    });
  });

  it.each([
    ["email", undefined, "email: Please enter a valid email address"],
    ["contactFullName", " ", "contactFullName: Full name is required"],
    ["contactAddress", undefined, "contactAddress: Address is required"],
    ["contactAddress", "1 High Street", "contactAddress: Address is required"],
    ["contactAddress", "null", "contactAddress: Address is required"],
    ["contactPhone", undefined, "contactPhone: Daytime phone is required"],
    ["contactPhone", '{"Evening":"1"}', "contactPhone.Daytime: Daytime phone is required"],
    ["totalAmount", undefined, "totalAmount: Enter an amount in pounds"],
    ["totalAmount", 45.001, "totalAmount: Enter an amount in pounds"],
    ["totalAmount", -45, "totalAmount: Enter an amount in pounds"],
  ])("with %s %s: '%s'", (path, value, message) => {
    expect(problems(createOrderRequest, changed(orderBody, path, value))).toEqual([message]);
  });

  it("names each part of the address that is missing", () => {
    expect(problems(createOrderRequest, changed(orderBody, "contactAddress", "{}"))).toEqual([
      "contactAddress.Address1: Address line 1 is required",
      "contactAddress.Town: Town is required",
      "contactAddress.County: County is required",
      "contactAddress.Country: Country is required",
      "contactAddress.PostCode: Postcode is required",
    ]);
  });
});

describe("the other calls", () => {
  const orderId = "0A8F1C52-6D1C-5B4E-9A55-2F6F3F1F0001";

  it("ask for payment in pounds, as a number or its text", () => {
    expect(paymentIntentRequest.parse({ amount: 90, orderId })).toEqual({
      amountPence: 9000,
      orderId: orderId.toLowerCase(),
    });
    expect(paymentIntentRequest.parse({ amount: "45.50", orderId }).amountPence).toBe(4550);
    expect(problems(paymentIntentRequest, { amount: 90 })).toEqual(["orderId: Order is required"]);
  });

  it("report Processing and no other status", () => {
    expect(
      statusRequest.safeParse({ status: "Processing", message: "Order submitted for processing" }).success,
    ).toBe(true);
    expect(statusRequest.safeParse({ status: "Fulfilled" }).success).toBe(false);
  });

  it("look an order up by its number", () => {
    expect(problems(lookupRequest, { orderNumber: "" })).toEqual(["orderNumber: Order number is required"]);
    expect(problems(lookupRequest, {})).toEqual(["orderNumber: Order number is required"]);
    expect(lookupRequest.parse({ orderNumber: " 7k3m " })).toEqual({ orderNumber: "7k3m" });
  });
});
