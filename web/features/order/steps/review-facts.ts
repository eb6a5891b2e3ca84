import type { Draft, DraftType } from "../../../draft/draft.ts";

/** One fact of the review: its name and the answer. */
export interface Fact {
  readonly name: string;
  readonly answer: string;
}

const fact = (name: string, ...parts: readonly string[]): Fact => ({
  name,
  answer: parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(" "),
});

const lines = (name: string, ...parts: readonly string[]): Fact => ({
  name,
  answer: parts.filter((part) => part.trim() !== "").join("\n"),
});

const yesNo = (answer: string): string => (answer === "yes" ? "Yes" : "No");
const given = (facts: readonly Fact[]): Fact[] => facts.filter(({ answer }) => answer !== "");

/** Which certificate, how many, how fast. */
export const choiceFacts = ({ certificateType, certificateOptions: options }: Draft): Fact[] => [
  fact("Certificate type", `${certificateType} Certificate`),
  fact("Service level", options.isPriority ? "Priority" : "Standard"),
  fact("Full copies", String(options.fullCertificates)),
  fact("Short copies", String(options.shortCertificates)),
];

/** Who orders, and where everything goes. */
export function contactFacts({ personalDetails: person }: Draft): Fact[] {
  const { address, phone } = person;
  return given([
    fact("Name", person.title, person.firstName, person.lastName),
    fact("Company", person.companyName),
    fact("Email", person.email),
    lines(
      "Address",
      address.line1,
      address.line2,
      address.town,
      address.county,
      address.postcode,
      address.country,
    ),
    fact("Daytime phone", phone.daytime),
    fact("Evening phone", phone.evening),
  ]);
}

/** Whom the certificate is about, and where the entry stands. */
export const certificateFacts = (draft: Draft): Fact[] => given(factsByType[draft.certificateType](draft));

const dateOf = ({ day, month, year }: Draft["birth"]["dateOfBirth"]): string => {
  const known = [day, month].filter((part) => /^(\d+|[A-Z][a-z]+)$/.test(part));
  return [...known, year].join(" ");
};

const birthFacts = (birth: Draft["birth"]): Fact[] => [
  fact("Name at birth", birth.forenamesAtBirth, birth.surnameAtBirth),
  fact("Gender", birth.gender),
  fact("Date of birth", dateOf(birth.dateOfBirth)),
  fact("Place of birth", birth.placeOfBirth),
  fact("Country of birth", birth.birthCountry),
  fact("Father", birth.fatherForename, birth.fatherSurname),
  fact("Mother", birth.motherForename, birth.motherSurname),
  fact("Mother's maiden name", birth.motherMaidenName),
  fact("Registered in", birth.registrationLocation),
  fact("Year registered", birth.yearRegistered),
  fact("GRO reference", referenceOf(birth)),
  fact("Applying for your own certificate", yesNo(birth.applyingForOwn)),
  fact("Person is adopted", yesNo(birth.adopted)),
];

const deathFacts = (death: Draft["death"]): Fact[] => [
  fact("Name", death.deceasedForename, death.deceasedSurname),
  fact("Gender", death.gender),
  fact("Marital status", death.gender === "Female" ? death.maritalStatus : ""),
  fact("Date of death", dateOf(death.dateOfDeath)),
  fact("Place of death", death.placeOfDeath),
  fact("Age at death", death.ageAtDeath),
  fact("Occupation", death.occupation),
  fact("Mother", death.motherForenames, death.motherSurname),
  fact("Father or parent", death.fatherForenames, death.fatherSurname),
  fact("Registered in", death.registrationLocation),
  fact("GRO reference", referenceOf(death)),
];

const marriageFacts = (marriage: Draft["marriage"]): Fact[] => [
  fact("Spouse 1", marriage.spouse1Forenames, marriage.spouse1Surname),
  fact("Spouse 2", marriage.spouse2Forenames, marriage.spouse2Surname),
  fact("Date of marriage", dateOf(marriage.dateOfMarriage)),
  fact("Place of marriage", marriage.placeOfMarriage),
  fact("Registered in", marriage.registrationLocation),
  fact("Registration district", marriage.registrationDistrict),
  fact("GRO reference", referenceOf(marriage)),
];

const adoptionFacts = (adoption: Draft["adoption"]): Fact[] => [
  fact("Adoptive name", adoption.adoptiveForenames, adoption.adoptiveSurname),
  fact("Gender", adoption.gender),
  fact("Date of birth", dateOf(adoption.dateOfBirth)),
  fact("Adoptive parent 1", adoption.adoptiveParent1Forenames, adoption.adoptiveParent1Surname),
  fact("Adoptive parent 2", adoption.adoptiveParent2Forenames, adoption.adoptiveParent2Surname),
  fact("Date of the order", dateOf(adoption.dateOfOrder)),
  fact("Court", adoption.court),
  fact("Registered in", adoption.registrationLocation),
  fact("GRO reference", referenceOf(adoption)),
];

const referenceOf = (answers: { groReferenceKnown: string; groReference: string }): string =>
  answers.groReferenceKnown === "yes" ? answers.groReference.trim() || "Not given" : "Not known";

const factsByType: Readonly<Record<DraftType, (draft: Draft) => Fact[]>> = {
  Birth: ({ birth }) => birthFacts(birth),
  Death: ({ death }) => deathFacts(death),
  Marriage: ({ marriage }) => marriageFacts(marriage),
  Adoption: ({ adoption }) => adoptionFacts(adoption),
};
