import { expect, test } from "vitest";
import { furthestStep } from "./draft.ts";
import { draftLike } from "./order-answers.ts";

const other = {
  certificateType: "Death",
  copies: 3,
  isPriority: true,
  contact: {
    companyName: "Rhys & Rees LLP",
    email: "sian@rhys.example",
    contactFullName: "Dr Siân Rhys",
    contactAddress: {
      Address1: "1 High Street",
      Address2: "",
      Town: "Conwy",
      County: "Conwy",
      Country: "United Kingdom",
      PostCode: "LL32 8DE",
    },
    contactPhone: { Daytime: "01492 550000", Evening: "" },
  },
} as const;

test("another order begins with the contact and the choices, and asks for the person", () => {
  const draft = draftLike(other);
  expect(draft).toMatchObject({
    certificateType: "Death",
    certificateOptions: { fullCertificates: 3, isPriority: true, serviceType: "Express" },
    personalDetails: { title: "Dr", firstName: "Siân", lastName: "Rhys", companyName: "Rhys & Rees LLP" },
    signature: "",
    acceptsTerms: false,
    step: 3,
  });
  expect(furthestStep(draft, "2026-11-23")).toBe(3);
});

test("recipient and reference are kept", () => {
  const recipient = { fullName: "Mair Evans", address: other.contact.contactAddress };
  const contact = { ...other.contact, recipient, customerReference: "SMITH/42" };
  expect(draftLike({ ...other, contact }).personalDetails).toMatchObject({
    recipient: { postTo: "someone else", fullName: "Mair Evans", line1: "1 High Street" },
    customerReference: "SMITH/42",
  });
});

test("without the contact, which was destroyed, it asks for that first", () => {
  expect(furthestStep(draftLike({ ...other, contact: null }), "2026-11-23")).toBe(2);
});
