import { describe, expect, it } from "vitest";
import { orderPayloadOf } from "../../domain/forms/order-payload.ts";
import { personalDetailsSchema } from "../../domain/forms/personal-details.ts";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { bodyOf } from "../../testing/contract/request-body.ts";
import { changed, person, problems } from "../../testing/domain/form-fixture.ts";
import { correctContact } from "../staff-orders/actions.ts";
import { createOrderRequest, createPaymentIntent, reportPaid } from "./ordering.ts";
import { changeContact } from "./own-records.ts";
import { lookUpOrder } from "./tracking.ts";

const customer = personalDetailsSchema.parse(person);
const orderBody: unknown = JSON.parse(
  JSON.stringify(orderPayloadOf(customer, 9000, { signature: "S", termsVersion: 1, consentVersion: 1 })),
);

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

describe("the other requests", () => {
  const orderId = "0A8F1C52-6D1C-5B4E-9A55-2F6F3F1F0001";

  const payment = bodyOf(createPaymentIntent);
  const report = bodyOf(reportPaid);
  const lookup = bodyOf(lookUpOrder);

  it("ask for payment in pounds, as a number or its text", () => {
    expect(payment.parse({ amount: 90, orderId })).toEqual({
      amountPence: 9000,
      orderId: orderId.toLowerCase(),
    });
    expect(payment.parse({ amount: "45.50", orderId })).toMatchObject({ amountPence: 4550 });
    expect(problems(payment, { amount: 90 })).toEqual(["orderId: Order is required"]);
  });

  it("correct the contact: customers may change nothing, staff must change something", () => {
    const act = { reason: "customerAsked", expectedRevision: 3 };
    const corrected = bodyOf(correctContact);
    expect(bodyOf(changeContact).parse({})).toEqual({});
    expect(problems(corrected, { ...act, contact: {} })).toEqual([
      "contact.email: Please enter a valid email address",
    ]);
    expect(problems(corrected, { ...act, contact: { companyName: "" } })).toEqual([]);
  });

  it("correct either phone, or both as pages of earlier builds do, and leave no order without daytime phone", () => {
    const correction = bodyOf(changeContact);
    for (const contactPhone of [
      { Daytime: "01632960002" },
      { Evening: "" },
      { Daytime: "01632960002", Evening: "" },
    ]) {
      expect(correction.parse({ contactPhone })).toEqual({ contactPhone });
      expect(correction.parse({ contactPhone: JSON.stringify(contactPhone) })).toEqual({ contactPhone });
    }
    expect(problems(correction, { contactPhone: { Daytime: "", Evening: "1" } })).toEqual([
      "contactPhone.Daytime: Daytime phone is required",
    ]);
  });

  it("report Processing and no other status", () => {
    expect(
      report.safeParse({ status: "Processing", message: "Order submitted for processing" }).success,
    ).toBe(true);
    expect(report.safeParse({ status: "Fulfilled" }).success).toBe(false);
  });

  it("look an order up by its number", () => {
    expect(problems(lookup, { orderNumber: "" })).toEqual(["orderNumber: Order number is required"]);
    expect(problems(lookup, {})).toEqual(["orderNumber: Order number is required"]);
    expect(lookup.parse({ orderNumber: " 7k3m " })).toEqual({ orderNumber: "7k3m" });
  });
});
