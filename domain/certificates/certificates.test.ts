import { describe, expect, it } from "vitest";
import { adoption, birth, death, marriage, person, today } from "../../testing/domain/form-fixture.ts";
import { variantPayloadOf } from "../forms/order-payload.ts";
import { personalDetailsSchema } from "../forms/personal-details.ts";
import { variantRequest } from "../forms/variant-request.ts";
import type { CertificateType } from "../order/vocabulary.ts";
import { certificateReview, certificates } from "./certificates.ts";

const typed = { Birth: birth, Death: death, Marriage: marriage, Adoption: adoption };
const choice = {
  fullCopies: 1,
  shortCopies: 0,
  isPriority: false,
  totalPence: 4500,
  reference: "REF-2026-7",
};
const types = ["Birth", "Death", "Marriage", "Adoption"] as const satisfies readonly CertificateType[];

const payloadOf = (type: CertificateType) => {
  const details = certificates[type].details(today).parse(typed[type]);
  return variantPayloadOf(personalDetailsSchema.parse(person), type, details, choice);
};

/** To the byte: records that were sealed before hold the keys in this order, and are printed in it. */
const certificateDetails = {
  Birth:
    '{"BirthCountry":"England and Wales","PlaceOfBirth":"Nottingham","SurnameAtBirth":"Briain","ForenamesAtBirth":"Siân Mair","gender":"Female","DateOfBirth":{"Day":29,"Month":"February","Year":1952},"FatherSurname":"","FatherForename":"","MotherForename":"Mair","MotherMaidenName":"Evans","MotherSurname":"Briain","NumberOfCopies":1}',
  Death:
    '{"DeceasedName":"Owen Evans","DeathSurname":"Evans","DeathForename":"Owen","DateOfDeath":{"Day":31,"Month":"December","Year":1999},"PlaceOfDeath":"Cardiff","AgeAtDeath":84,"MotherForename":"Gwen","MotherForenames":"Gwen","MotherSurname":"Evans","FatherForename":"Dafydd","FatherForenames":"Dafydd","FatherSurname":"Evans","Occupation":"Schoolteacher","MaritalStatus":"Widowed","gender":"Female","NumberOfCopies":1}',
  Marriage:
    '{"Spouse1Surname":"Evans","Spouse1Forenames":"Dafydd","Spouse2Surname":"Ó Briain","Spouse2Forenames":"Gwen Mair","DateOfMarriage":{"Day":14,"Month":"June","Year":1941},"PlaceOfMarriage":"St Mary\'s, Nottingham","RegistrationDistrict":"Nottingham","NumberOfCopies":1}',
  Adoption:
    '{"AdoptiveSurname":"Llŷr","AdoptiveForenames":"Anwen Mair","gender":"Female","DateOfBirth":{"Day":2,"Month":"May","Year":1961},"AdoptiveParent1Surname":"Llŷr","AdoptiveParent1Forenames":"Mair","AdoptiveParent2Surname":"Rhys","AdoptiveParent2Forenames":"Ifan","DateOfOrder":{"Day":9,"Month":"February","Year":1962},"Court":"Cardigan County Court","NumberOfCopies":1}',
};
const eventDetails = {
  Birth:
    '{"EventRegistrationLocation":"England or Wales","EventType":"Birth","YearRegistered":1952,"GROReferenceKnown":true}',
  Death: '{"EventRegistrationLocation":"England or Wales","EventType":"Death","GROReferenceKnown":false}',
  Marriage:
    '{"EventRegistrationLocation":"England or Wales","EventType":"Marriage","GROReferenceKnown":true}',
  Adoption:
    '{"EventRegistrationLocation":"England or Wales","EventType":"Adoption","GROReferenceKnown":false}',
};

describe.each(types)("an application for a certificate: %s", (type) => {
  it("is sent to the byte as section 3 has it", () => {
    const payload = payloadOf(type);
    expect(JSON.stringify(payload.certificateDetails)).toBe(certificateDetails[type]);
    expect(JSON.stringify(payload.eventDetails)).toBe(eventDetails[type]);
  });

  it("limits a GRO reference only where it is asked for", () => {
    const long = { ...typed[type], groReference: "1952 M Nottingham ".repeat(20) };
    const schema = certificates[type].details(today);
    const asked = schema.safeParse({ ...long, groReferenceKnown: "yes" });
    expect(asked.error?.issues).toMatchObject([
      { path: ["groReference"], message: "Use 200 characters or fewer" },
    ]);
    expect(schema.safeParse({ ...long, groReferenceKnown: "no" }).success).toBe(true);
  });

  it("is sealed as it was sent", () => {
    const { application } = variantRequest(today).parse(payloadOf(type));
    expect(JSON.stringify(application.certificateDetails)).toBe(certificateDetails[type]);
    expect(JSON.stringify(application.eventDetails)).toBe(eventDetails[type]);
  });

  it("has a line of the review for every answer", () => {
    const { review, fields } = certificates[type];
    const reviewed = review.flatMap((line) => (typeof line === "string" ? [line] : line.answers));
    // Whether the reference is known shows in the line of the reference.
    expect([...reviewed, "groReferenceKnown"].sort()).toEqual(Object.keys(fields).sort());
  });

  it("has a key for every answer, and none twice", () => {
    const keys = Object.values(certificates[type].fields).flatMap(({ key, alias }) => [key, alias ?? key]);
    const shared = Object.values(certificates[type].fields).filter(({ alias }) => alias === undefined).length;
    expect(new Set(keys).size).toBe(keys.length - shared);
  });
});

it.each([
  [
    "Birth",
    [
      "Name at birth: Siân Mair Briain",
      "Gender: Female",
      "Date of birth: 29 February 1952",
      "Place of birth: Nottingham",
      "Country of birth: England and Wales",
      "Mother: Mair Briain",
      "Mother's maiden name: Evans",
      "Registered in: England or Wales",
      "Year registered: 1952",
      "GRO reference: 1952 M Nottingham 3c 412",
      "Applying for your own certificate: Yes",
      "Person is adopted: No",
    ],
  ],
  [
    "Death",
    [
      "Name: Owen Evans",
      "Gender: Female",
      "Marital status: Widowed",
      "Date of death: 31 December 1999",
      "Place of death: Cardiff",
      "Age at death: 84",
      "Occupation: Schoolteacher",
      "Mother: Gwen Evans",
      "Father or parent: Dafydd Evans",
      "Registered in: England or Wales",
      "GRO reference: Not known",
    ],
  ],
  [
    "Marriage",
    [
      "Spouse 1: Dafydd Evans",
      "Spouse 2: Gwen Mair Ó Briain",
      "Date of marriage: 14 June 1941",
      "Place of marriage: St Mary's, Nottingham",
      "Registered in: England or Wales",
      "Registration district: Nottingham",
      "GRO reference: 1941 J Nottingham 7b 1020",
    ],
  ],
  [
    "Adoption",
    [
      "Adoptive name: Anwen Mair Llŷr",
      "Gender: Female",
      "Date of birth: 2 May 1961",
      "Adoptive parent 1: Mair Llŷr",
      "Adoptive parent 2: Ifan Rhys",
      "Date of the order: 9 February 1962",
      "Court: Cardigan County Court",
      "Registered in: England or Wales",
      "GRO reference: Not known",
    ],
  ],
] as const)("the review (%s) gives the answers in this order", (type, lines) => {
  const facts = certificateReview(type, typed[type]);
  expect(facts.map(({ name, answer }) => `${name}: ${answer}`)).toEqual(lines);
});
