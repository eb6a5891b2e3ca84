import { expect, test } from "vitest";
import type { OwnContact } from "../../../contract/orders/own-records.ts";
import { personalDetailsSchema } from "../../../domain/forms/personal-details.ts";
import { contactChangeOf, enteredContact } from "./order-answers.ts";

const contact: OwnContact = {
  companyName: "Rhŷs & Daughters",
  email: "sian@example.org",
  contactFullName: "Mrs Siân Mair Rhŷs-Żak",
  contactAddress: {
    Address1: "1 Heol y Bont",
    Address2: "",
    Town: "Aberystwyth",
    County: "Ceredigion",
    Country: "United Kingdom",
    PostCode: "SY23 1AA",
  },
  contactPhone: { Daytime: "01970 000000", Evening: "" },
};

test("what is shown to be corrected comes out as it was when nothing is", () => {
  const details = personalDetailsSchema.parse(enteredContact(contact));
  const { contactAddress = "", contactPhone = "", ...rest } = contactChangeOf(details, "all");
  expect(rest).toMatchObject({ recipient: null, customerReference: "" });
  const { recipient: _, customerReference: __, ...given } = rest;
  expect({
    ...given,
    contactAddress: JSON.parse(String(contactAddress)),
    contactPhone: JSON.parse(String(contactPhone)),
  }).toEqual(contact);
});

const recipient = {
  fullName: "Mair Evans",
  address: { ...contact.contactAddress, Address1: "2 Stryd Fawr" },
};

test("recipient and reference come out as they were, and can be taken away", () => {
  const answers = enteredContact({ ...contact, recipient, customerReference: "SMITH/42" });
  const same = contactChangeOf(personalDetailsSchema.parse(answers), "all");
  expect(same).toMatchObject({ recipient, customerReference: "SMITH/42" });
  const none = {
    ...answers,
    recipient: { ...answers.recipient, postTo: "me" as const },
    customerReference: "",
  };
  const taken = contactChangeOf(personalDetailsSchema.parse(none), "all");
  expect(taken).toMatchObject({ recipient: null, customerReference: "" });
});

test("name and address are not named once the GRO may have them", () => {
  const details = personalDetailsSchema.parse(enteredContact(contact));
  expect(Object.keys(contactChangeOf(details, "reach")).sort()).toEqual([
    "contactPhone",
    "customerReference",
    "email",
  ]);
});

test("a name that came without one of our titles leaves the title to be chosen", () => {
  const answers = enteredContact({ ...contact, contactFullName: "Siân Rhŷs" });
  expect(answers).toMatchObject({ title: "", firstName: "Siân", lastName: "Rhŷs" });
});
