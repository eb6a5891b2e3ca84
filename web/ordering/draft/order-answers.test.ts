import { describe, expect, test } from "vitest";
import { type ContactChange, type OwnContact, ownApplication } from "../../../contract/orders/own-records.ts";
import { personalDetailsSchema, reachDetailsSchema } from "../../../domain/forms/personal-details.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { completeBirthDraft, completeDrafts } from "../../../testing/pages/draft-fixture.ts";
import { orderRequestOf } from "../checkout/prepare-order.ts";
import { certificatesOf } from "./basket.ts";
import { sharedAnswers, validDetails } from "./certificate-answers.ts";
import type { Draft, PersonAnswers } from "./draft.ts";
import {
  applicationOf,
  contactChangeOf,
  draftLike,
  enteredAnswers,
  enteredContact,
  reachChangeOf,
} from "./order-answers.ts";
import { furthestStep } from "./steps.ts";

const today = "2026-11-20";
const applicant = { customerFirstName: "Siân", customerLastName: "Ó Briain" };

function applicationFrom(draft: Draft) {
  const valid = validDetails(draft, today);
  if (!valid) throw new Error("The fixture is not complete");
  return applicationOf(valid, applicant);
}

test.each(completeDrafts())("a changed $certificateType application says what its order said", (draft) => {
  const terms = { totalPence: 4500, termsVersion: 2, consentVersion: 1, today };
  const variant = orderRequestOf(draft, terms).variant("REF-2026-7");
  const application = applicationFrom(draft);
  const uncounted = (details: object) => ({ ...details, NumberOfCopies: undefined });
  expect({
    ...variant,
    ...application,
    certificateDetails: uncounted(application.certificateDetails),
  }).toEqual({ ...variant, certificateDetails: uncounted(variant.certificateDetails) });
});

test.each(completeDrafts())(
  "what the vault keeps of a $certificateType fills its form as it was",
  (draft) => {
    const terms = { totalPence: 4500, termsVersion: 2, consentVersion: 1, today };
    const known = { ...sharedAnswers(draft), groReferenceKnown: "yes", groReference: "M 1984 A12 7" };
    const form = draft.certificateType.toLowerCase();
    const withReference = { ...draft, [form]: known };
    const variant = orderRequestOf(withReference, terms).variant("REF-2026-7");
    const kept = variantRequest(today).parse(variant).application;
    const entered = enteredAnswers(ownApplication.parse(kept));
    expect(entered).toHaveProperty(form, known);
  },
);

test("'I don't know' comes back as it was answered", () => {
  const draft = completeBirthDraft();
  draft.birth.dateOfBirth = { day: "I don't know", month: "I don't know", year: "1901" };
  draft.birth.yearRegistered = "1901";
  expect(enteredAnswers(applicationFrom(draft)).birth.dateOfBirth).toEqual(draft.birth.dateOfBirth);
});

test("an application without its parts leaves fields empty instead of failing", () => {
  const bare = { ...applicationFrom(completeBirthDraft()), certificateDetails: {}, eventDetails: {} };
  expect(enteredAnswers(bare).birth).toMatchObject({ surnameAtBirth: "", yearRegistered: "" });
});

describe("A contact that is shown to be corrected", () => {
  const contact: OwnContact = {
    companyName: "Rhŷs & Daughters",
    email: "sian@example.org",
    contactFullName: "Mrs Siân Mair Rhŷs-Żak",
    contactLastName: "Rhŷs-Żak",
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

  const recipient = {
    fullName: "Mair Evans",
    address: { ...contact.contactAddress, Address1: "2 Stryd Fawr" },
  };
  const everything = { ...contact, recipient, customerReference: "SMITH/42" };

  const corrected = (from: OwnContact, changes: Partial<PersonAnswers>) => {
    const loaded = enteredContact(from);
    return contactChangeOf(personalDetailsSchema.parse({ ...loaded, ...changes }), loaded);
  };
  const reached = (from: OwnContact, changes: Partial<PersonAnswers>) => {
    const loaded = enteredContact(from);
    return reachChangeOf(reachDetailsSchema.parse({ ...loaded, ...changes }), loaded);
  };

  test.each([contact, everything])("sends nothing when nothing was changed", (from) => {
    expect(corrected(from, {})).toEqual({});
    expect(reached(from, {})).toEqual({});
  });

  const entered = enteredContact(everything);
  const name = { contactFullName: "Mrs Anwen Rhŷs-Żak", contactLastName: "Rhŷs-Żak" };
  test.each<[Partial<PersonAnswers>, ContactChange]>([
    [{ email: "new@example.org", confirmEmail: "new@example.org" }, { email: "new@example.org" }],
    [{ companyName: "" }, { companyName: "" }],
    [{ firstName: "Anwen" }, name],
    [
      { firstName: "Siân", lastName: "Mair Rhŷs-Żak" },
      { contactFullName: contact.contactFullName, contactLastName: "Mair Rhŷs-Żak" },
    ],
    [
      { address: { ...entered.address, town: "Borth" } },
      { contactAddress: JSON.stringify({ ...contact.contactAddress, Town: "Borth" }) },
    ],
    [
      { phone: { daytime: "01970 222222", evening: "" } },
      { contactPhone: JSON.stringify({ Daytime: "01970 222222", Evening: "" }) },
    ],
    [
      { recipient: { ...entered.recipient, fullName: "Mair Rees" } },
      { recipient: { ...recipient, fullName: "Mair Rees" } },
    ],
    [{ recipient: { ...entered.recipient, postTo: "me" } }, { recipient: null }],
    [{ customerReference: "" }, { customerReference: "" }],
  ])("sends only what was changed, as staff may have corrected the rest since: %j", (changes, change) => {
    expect(corrected(everything, changes)).toEqual(change);
  });

  test("sends neither name nor address once the GRO may have them", () => {
    // Staff may have corrected the name to one without a title, which the page no longer asks for.
    const changes = { customerReference: "SMITH/43", firstName: "Anwen" };
    expect(reached({ ...everything, contactFullName: "Llŷr" }, changes)).toEqual({
      customerReference: "SMITH/43",
    });
  });

  test("a name that came without one of our titles leaves the title to be chosen", () => {
    const answers = enteredContact({ ...contact, contactFullName: "Siân Rhŷs" });
    expect(answers).toMatchObject({ title: "", firstName: "Siân", lastName: "Rhŷs" });
  });
});

describe("Another order like this one", () => {
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

  test("begins with the contact and the choices, and asks for the person", () => {
    const draft = draftLike([other]);
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

  test("keeps recipient and reference", () => {
    const recipient = { fullName: "Mair Evans", address: other.contact.contactAddress };
    const contact = { ...other.contact, recipient, customerReference: "SMITH/42" };
    expect(draftLike([{ ...other, contact }]).personalDetails).toMatchObject({
      recipient: { postTo: "someone else", fullName: "Mair Evans", line1: "1 High Street" },
      customerReference: "SMITH/42",
    });
  });

  test("of several begins with the first, and has the choices of each", () => {
    const birth = {
      ...other,
      certificateType: "Birth",
      copies: 1,
      isPriority: false,
      contact: null,
    } as const;
    const draft = draftLike([birth, other]);
    expect(certificatesOf(draft)).toMatchObject([
      { certificateType: "Birth", certificateOptions: { fullCertificates: 1, isPriority: false } },
      { certificateType: "Death", certificateOptions: { fullCertificates: 3, isPriority: true } },
    ]);
    expect(draft).toMatchObject({ place: 0, personalDetails: { lastName: "Rhys" }, step: 3 });
    expect(furthestStep(draft, "2026-11-23")).toBe(3);
  });

  test("asks for the contact first where it was destroyed", () => {
    expect(furthestStep(draftLike([{ ...other, contact: null }]), "2026-11-23")).toBe(2);
  });
});
