import { expect, test } from "vitest";
import { ownApplication } from "../../../contract/orders/own-records.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { completeBirthDraft, completeDrafts } from "../../../testing/pages/draft-fixture.ts";
import { orderRequestOf } from "../checkout/prepare-order.ts";
import { sharedAnswers, validDetails } from "./certificate-answers.ts";
import type { Draft } from "./draft.ts";
import { applicantNamed, applicationOf, enteredAnswers } from "./order-answers.ts";

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

test.each([
  ["Mrs Siân Rhŷs-Żak", "Siân", "Rhŷs-Żak"],
  ["Dr Anwen Mair  Llŷr", "Anwen Mair", "Llŷr"],
  ["Anwen Llŷr", "Anwen", "Llŷr"],
  ["Prof Llŷr", "", "Llŷr"],
])("%s", (fullName, customerFirstName, customerLastName) => {
  expect(applicantNamed(fullName)).toEqual({ customerFirstName, customerLastName });
});
