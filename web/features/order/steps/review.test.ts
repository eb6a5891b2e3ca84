import { expect, test } from "vitest";
import { recipient } from "../../../../testing/domain/form-fixture.ts";
import {
  completeAdoptionDraft,
  completeBirthDraft,
  completeDeathDraft,
  completeMarriageDraft,
} from "../../../../testing/pages/draft-fixture.ts";
import { draftOf } from "../../../ordering/draft/draft.ts";
import {
  boxNotice,
  certificateFacts,
  choiceFacts,
  contactFacts,
  signingErrors,
  unfinishedErrors,
} from "./review.ts";

const answers = (facts: readonly { name: string; answer: string }[]) =>
  Object.fromEntries(facts.map(({ name, answer }) => [name, answer]));

test("the review names type, service level and both counts", () => {
  const draft = completeBirthDraft();
  expect(answers(choiceFacts(draft))).toEqual({
    "Certificate type": "Birth Certificate",
    "Service level": "Standard",
    "Full copies": "1",
    "Short copies": "0",
  });
  const priority = { ...draft, certificateOptions: { ...draft.certificateOptions, isPriority: true } };
  expect(answers(choiceFacts(priority))["Service level"]).toBe("Priority");
});

test("what was left empty is not listed", () => {
  const listed = answers(contactFacts(completeBirthDraft()));
  expect(listed).not.toHaveProperty("Company");
  expect(listed.Name).toBe("Dr Siân Ó Briain");
  expect(listed.Address).toBe("1 High Pavement\nNottingham\nNottinghamshire\nng11hn\nUnited Kingdom");
});

test("another person to post to and the customer's own reference are listed where they are given", () => {
  const draft = completeBirthDraft();
  const listed = (details: Partial<typeof draft.personalDetails>) =>
    answers(contactFacts({ ...draft, personalDetails: { ...draft.personalDetails, ...details } }));
  expect(listed({ recipient, customerReference: "SMITH/42" })).toMatchObject({
    "Post the certificate to": " Mair Evans \n2 Stryd Fawr\nBangor\nGwynedd\nll571aa\nUnited Kingdom",
    "Your reference (not sent to the GRO)": "SMITH/42",
  });
  expect(listed({ recipient: { ...recipient, postTo: "me" } })).not.toHaveProperty("Post the certificate to");
  expect(listed({})).not.toHaveProperty("Your reference (not sent to the GRO)");
});

test("a date with a part that is not known shows the rest", () => {
  const draft = completeBirthDraft();
  const birth = { ...draft.birth, dateOfBirth: { day: "I don't know", month: "March", year: "1901" } };
  expect(answers(certificateFacts({ ...draft, birth }))["Date of birth"]).toBe("March 1901");
});

test("marital status is listed for a woman only, as it is asked of women only", () => {
  const draft = completeDeathDraft();
  const death = { ...draft.death, gender: "Male", maritalStatus: "Widowed" };
  expect(answers(certificateFacts({ ...draft, death }))).not.toHaveProperty("Marital status");
  const woman = { ...draft, death: { ...death, gender: "Female" } };
  expect(answers(certificateFacts(woman))["Marital status"]).toBe("Widowed");
});

test("a GRO reference counts only while it is said to be known", () => {
  const draft = completeDeathDraft();
  const reference = (groReferenceKnown: string, groReference: string) =>
    answers(certificateFacts({ ...draft, death: { ...draft.death, groReferenceKnown, groReference } }))[
      "GRO reference"
    ];
  expect(reference("yes", "A 1")).toBe("A 1");
  expect(reference("yes", "")).toBe("Not given");
  expect(reference("no", "A 1")).toBe("Not known");
});

test("a marriage is reviewed by its couple, an adoption by the adoptive names", () => {
  const marriage = answers(certificateFacts(completeMarriageDraft()));
  expect(marriage["Spouse 1"]).toBe("Dafydd Evans");
  expect(marriage["Date of marriage"]).toBe("14 June 1941");
  expect(marriage["Registration district"]).toBe("Nottingham");
  const draft = completeAdoptionDraft();
  const oneParent = { adoptiveParent2Surname: "", adoptiveParent2Forenames: "" };
  const onlyYear = { dateOfOrder: { day: "", month: "", year: "1962" } };
  const adoption = answers(
    certificateFacts({ ...draft, adoption: { ...draft.adoption, ...oneParent, ...onlyYear } }),
  );
  expect(adoption["Adoptive name"]).toBe("Anwen Mair Llŷr");
  expect(adoption["Date of the order"]).toBe("1962");
  expect(adoption).not.toHaveProperty("Adoptive parent 2");
});

test("all that is missing is named in the order of the page", () => {
  const missing = signingErrors({ signature: "  ", acceptsTerms: false, asksToBegin: false });
  expect(missing.map(({ id }) => id)).toEqual(["signature", "accept-terms", "ask-to-begin"]);
});

test("the terms box has the specification's words", () => {
  const [missing] = signingErrors({ signature: "Jo", acceptsTerms: false, asksToBegin: true });
  expect(missing?.message).toBe("Please accept the terms and conditions to continue");
});

test("each unfinished certificate is named, with the button that opens it", () => {
  const { others: _, place: __, ...certificate } = draftOf("Adoption");
  const draft = { ...completeBirthDraft(), others: [certificate, completeDeathDraft()], place: 2 };
  expect(unfinishedErrors(draft, "2026-11-21")).toEqual([
    { id: "finish-0", message: "Finish the adoption certificate, or remove it from your order" },
  ]);
});

test("nothing is missing once signed and ticked", () => {
  expect(signingErrors({ signature: "Jo", acceptsTerms: true, asksToBegin: true })).toEqual([]);
});

test("the notification names the box that is missing, the terms first", () => {
  const terms = "Please accept the terms and conditions to continue";
  expect(boxNotice({ acceptsTerms: false, asksToBegin: false })?.description).toBe(terms);
  expect(boxNotice({ acceptsTerms: false, asksToBegin: true })?.description).toBe(terms);
  expect(boxNotice({ acceptsTerms: true, asksToBegin: false })?.description).toMatch(/ask us to start now/);
  expect(boxNotice({ acceptsTerms: true, asksToBegin: true })).toBeUndefined();
});
