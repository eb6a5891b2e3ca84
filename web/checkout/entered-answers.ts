import { notKnown } from "../../domain/forms/answers.ts";
import type { Application } from "../api/application.ts";
import { type CertificateAnswers, certificateAnswers, emptyAnswers } from "../draft/certificate-answers.ts";

/** Each form's answers by the key under which the application holds them. Dates and shared answers are read apart. */
const keys = {
  birth: {
    birthCountry: "BirthCountry",
    placeOfBirth: "PlaceOfBirth",
    surnameAtBirth: "SurnameAtBirth",
    forenamesAtBirth: "ForenamesAtBirth",
    gender: "gender",
    fatherSurname: "FatherSurname",
    fatherForename: "FatherForename",
    motherForename: "MotherForename",
    motherMaidenName: "MotherMaidenName",
    motherSurname: "MotherSurname",
  },
  death: {
    deceasedForename: "DeathForename",
    deceasedSurname: "DeathSurname",
    gender: "gender",
    placeOfDeath: "PlaceOfDeath",
    ageAtDeath: "AgeAtDeath",
    motherForenames: "MotherForenames",
    motherSurname: "MotherSurname",
    fatherForenames: "FatherForenames",
    fatherSurname: "FatherSurname",
    occupation: "Occupation",
    maritalStatus: "MaritalStatus",
  },
  marriage: {
    spouse1Surname: "Spouse1Surname",
    spouse1Forenames: "Spouse1Forenames",
    spouse2Surname: "Spouse2Surname",
    spouse2Forenames: "Spouse2Forenames",
    placeOfMarriage: "PlaceOfMarriage",
    registrationDistrict: "RegistrationDistrict",
  },
  adoption: {
    adoptiveSurname: "AdoptiveSurname",
    adoptiveForenames: "AdoptiveForenames",
    gender: "gender",
    adoptiveParent1Surname: "AdoptiveParent1Surname",
    adoptiveParent1Forenames: "AdoptiveParent1Forenames",
    adoptiveParent2Surname: "AdoptiveParent2Surname",
    adoptiveParent2Forenames: "AdoptiveParent2Forenames",
    court: "Court",
  },
} as const;

const forms = { Birth: "birth", Death: "death", Marriage: "marriage", Adoption: "adoption" } as const;

const typed = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

const yesOrNo = (value: unknown): string => (value === true ? "yes" : "no");

/** A date as its three fields show it; a part that is null was answered by `unknown`. */
function dateTyped(value: unknown, unknown: string) {
  const part = (name: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  const orUnknown = (answer: unknown): string => (answer === null ? unknown : typed(answer));
  return { day: orUnknown(part("Day")), month: orUnknown(part("Month")), year: typed(part("Year")) };
}

/** The forms as they stood when this application was entered: what the applicant sees again to change it. */
export function enteredAnswers(application: Application): CertificateAnswers {
  const { certificateDetails: certificate, eventDetails: event } = application;
  const form = forms[application.certificateType];
  const texts = Object.entries(keys[form]).map(([answer, key]) => [answer, typed(certificate[key])]);
  const entered = {
    ...Object.fromEntries(texts),
    dateOfBirth: dateTyped(certificate.DateOfBirth, notKnown),
    dateOfDeath: dateTyped(certificate.DateOfDeath, notKnown),
    dateOfMarriage: dateTyped(certificate.DateOfMarriage, notKnown),
    // The one date that may be left out altogether.
    dateOfOrder: dateTyped(certificate.DateOfOrder, ""),
    registrationLocation: typed(event.EventRegistrationLocation),
    yearRegistered: typed(event.YearRegistered),
    groReferenceKnown: yesOrNo(event.GROReferenceKnown),
    groReference: application.gro,
    applyingForOwn: yesOrNo(application.applyingForOwn),
    adopted: yesOrNo(application.adopted),
  };
  return certificateAnswers.parse({ ...emptyAnswers(), [form]: entered });
}
