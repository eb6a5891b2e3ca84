import { describe, expect, test } from "vitest";
import type { ContactRecord } from "../../domain/forms/sealed-records.ts";
import { historyTo, orderAfter } from "../../testing/domain/order-fixture.ts";
import { applicationForm, contactSections } from "./application-form.ts";

const address = {
  Address1: "1 Heol y Bont",
  Address2: "",
  Town: "Aberystwyth",
  County: "Ceredigion",
  Country: "United Kingdom",
  PostCode: "SY23 1AA",
};
const contact: ContactRecord = {
  companyName: "",
  email: "sian@post.example",
  contactFullName: "Mrs Siân Rhys",
  contactAddress: address,
  contactPhone: { Daytime: "01970 000000", Evening: "" },
};
const recipient = { fullName: "Mair Evans", address: { ...address, Address1: "2 Stryd Fawr" } };
const given = { ...contact, recipient, customerReference: "SMITH/42" };

function formOf(contact: ContactRecord) {
  const application = { certificateType: "Birth", certificateDetails: {}, eventDetails: {}, gro: "" };
  const made = { at: new Date("2026-11-24T10:00:00Z"), tradingName: "Test & Copy" };
  return applicationForm(
    orderAfter(historyTo.Paid),
    { application, contact, signature: undefined },
    made,
  ).sections.map(({ heading, facts = [] }) => [heading, facts.map(({ value }) => value)] as const);
}

const postTo = "Post the certificate to";
const envelope = "2 Stryd Fawr\nAberystwyth\nCeredigion\nSY23 1AA\nUnited Kingdom";

describe("The application form for submission by hand", () => {
  test("names another person to whom the certificate is posted, and not the customer's own reference", () => {
    const form = formOf(given);
    expect(form.at(-1)).toEqual([postTo, ["Mair Evans", envelope]]);
    expect(JSON.stringify(form)).not.toContain("SMITH");
  });

  test("ends with the applicant where there is no other person", () => {
    expect(formOf(contact).at(-1)?.[0]).toBe("Applicant");
  });
});

test("Revealed contact data has the customer's own reference too", () => {
  const [applicant, other] = contactSections(given, "staff");
  expect(applicant?.facts).toContainEqual({ name: "Their reference", value: "SMITH/42" });
  expect(other?.heading).toBe(postTo);
  expect(contactSections(contact, "staff")).toHaveLength(1);
});
