import { adoption } from "../../domain/certificates/adoption.ts";
import { birth } from "../../domain/certificates/birth.ts";
import { death } from "../../domain/certificates/death.ts";
import { marriage } from "../../domain/certificates/marriage.ts";
import { sampleAnswers } from "../../testing/domain/sample-answers.ts";
import { type Draft, draftOf } from "./draft.ts";

/** A draft of a birth certificate with everything filled in and signed. */
export const completeBirthDraft = (): Draft => ({
  ...draftOf("Birth"),
  personalDetails: {
    title: "Mrs",
    firstName: "Anwen",
    lastName: "Llŷr",
    companyName: "",
    email: "anwen@example.org",
    confirmEmail: "anwen@example.org",
    address: {
      line1: "1 Heol y Bont",
      line2: "",
      town: "Aberteifi",
      county: "Ceredigion",
      postcode: "SA43 1AA",
      country: "United Kingdom",
    },
    phone: { daytime: "01239 000000", evening: "" },
  },
  birth: {
    ...sampleAnswers(birth.fields),
    birthCountry: "England and Wales",
    placeOfBirth: "Tŷ Ddewi",
    surnameAtBirth: "Llŷr",
    forenamesAtBirth: "Anwen Mair",
    gender: "Female",
    dateOfBirth: { day: "12", month: "March", year: "1984" },
    fatherSurname: "",
    fatherForename: "",
    motherForename: "Mair",
    motherMaidenName: "Rhys",
    motherSurname: "Llŷr",
    registrationLocation: "England or Wales",
    yearRegistered: "1984",
    groReferenceKnown: "no",
    groReference: "",
    applyingForOwn: "yes",
    adopted: "no",
  },
  signature: "Anwen Llŷr",
  acceptsTerms: true,
  asksToBegin: true,
});

/** The same person, ordering a death certificate. */
export const completeDeathDraft = (): Draft => ({
  ...completeBirthDraft(),
  certificateType: "Death",
  death: {
    ...sampleAnswers(death.fields),
    deceasedForename: "Dafydd",
    deceasedSurname: "Llŷr",
    gender: "Male",
    dateOfDeath: { day: "1", month: "May", year: "2001" },
    placeOfDeath: "Aberteifi",
    ageAtDeath: "81",
    motherForenames: "Mair",
    motherSurname: "Llŷr",
    fatherForenames: "Ifan",
    fatherSurname: "Llŷr",
    occupation: "Farmer",
    maritalStatus: "",
    registrationLocation: "England or Wales",
    groReferenceKnown: "no",
    groReference: "",
  },
});

/** The same person, ordering a marriage certificate. */
export const completeMarriageDraft = (): Draft => ({
  ...completeBirthDraft(),
  certificateType: "Marriage",
  marriage: {
    ...sampleAnswers(marriage.fields),
    spouse1Surname: "Llŷr",
    spouse1Forenames: "Dafydd",
    spouse2Surname: "Rhys",
    spouse2Forenames: "Mair",
    dateOfMarriage: { day: "14", month: "June", year: "1941" },
    placeOfMarriage: "Capel Seion, Aberteifi",
    registrationLocation: "England or Wales",
    registrationDistrict: "Cardigan",
    groReferenceKnown: "no",
    groReference: "",
  },
});

/** The same person, ordering an adoption certificate. */
export const completeAdoptionDraft = (): Draft => ({
  ...completeBirthDraft(),
  certificateType: "Adoption",
  adoption: {
    ...sampleAnswers(adoption.fields),
    adoptiveSurname: "Llŷr",
    adoptiveForenames: "Anwen Mair",
    gender: "Female",
    dateOfBirth: { day: "2", month: "May", year: "1961" },
    adoptiveParent1Surname: "Llŷr",
    adoptiveParent1Forenames: "Mair",
    adoptiveParent2Surname: "",
    adoptiveParent2Forenames: "",
    dateOfOrder: { day: "", month: "", year: "1962" },
    court: "Cardigan County Court",
    registrationLocation: "England or Wales",
    groReferenceKnown: "no",
    groReference: "",
  },
});

/** One complete draft of each type. */
export const completeDrafts = (): Draft[] => [
  completeBirthDraft(),
  completeDeathDraft(),
  completeMarriageDraft(),
  completeAdoptionDraft(),
];

/** A storage in memory, in the shape of `sessionStorage`. */
export function memoryStorage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      kept.set(key, value);
    },
    removeItem: (key) => {
      kept.delete(key);
    },
  };
}
