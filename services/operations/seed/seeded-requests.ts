import { type CreateOrderRequest, createOrderRequest } from "../../../contract/orders/ordering.ts";
import { currentConsent, currentTerms } from "../../../domain/agreements.ts";
import { isDate } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { country } from "../../../domain/forms/options.ts";
import { type VariantRequest, variantRequest } from "../../../domain/forms/variant-request.ts";
import type { CertificateType } from "../../../domain/order/vocabulary.ts";
import type { Person } from "./people.ts";

export type Wish = {
  readonly certificateType: Exclude<CertificateType, "Adoption">;
  readonly serviceLevel: "standard" | "priority";
  readonly copies: number;
  readonly groReferenceKnown: boolean;
  readonly totalPence: number;
  /** Who gets the certificate, if not the customer. */
  readonly recipient?: Person;
  /** The customer's own. */
  readonly customerReference?: string;
};

const pounds = (pence: number) => pence / 100;

/** The wizard's first request, as parsed by the gateway. `savedDrafts` are keys of drafts that it completes. */
export const orderRequestOf = (
  person: Person,
  wish: Wish,
  savedDrafts: readonly string[],
): CreateOrderRequest => createOrderRequest.parse({ ...orderBodyOf(person, wish), savedDrafts });

const addressOf = ({ street, town, county, postcode }: Person) => ({
  ...{ Address1: street, Address2: "", Town: town, County: county },
  ...{ Country: country, PostCode: postcode },
});

/** The wizard's first request, as posted. */
export function orderBodyOf(person: Person, { totalPence, recipient, customerReference }: Wish) {
  const { forename, surname, email, telephone } = person;
  return {
    companyName: "",
    email,
    contactFullName: `${forename} ${surname}`,
    contactAddress: JSON.stringify(addressOf(person)),
    ...(recipient && {
      recipient: { fullName: `${recipient.forename} ${recipient.surname}`, address: addressOf(recipient) },
    }),
    ...(customerReference && { customerReference }),
    contactPhone: JSON.stringify({ Daytime: telephone, Evening: "" }),
    totalAmount: pounds(totalPence),
    signature: `${forename} ${surname}`,
    termsVersion: currentTerms.version,
    consentVersion: currentConsent.version,
  };
}

/** Certificate details: a relative of the customer, long ago. */
function detailsOf(type: Wish["certificateType"], { forename, surname, town }: Person, copies: number) {
  const year = 1951;
  const day = { Day: 14, Month: "June", Year: year };
  const parents = { FatherSurname: surname, FatherForename: "Idris", MotherForename: "Anwen" };
  switch (type) {
    case "Birth":
      return {
        ...{ BirthCountry: "England and Wales", PlaceOfBirth: town, SurnameAtBirth: surname },
        ...{ ForenamesAtBirth: forename, gender: "Female", DateOfBirth: day, ...parents },
        ...{ MotherMaidenName: "Prosser", MotherSurname: surname, NumberOfCopies: copies },
      };
    case "Death":
      return {
        ...{ DeathSurname: surname, DeathForename: forename, gender: "Male", DateOfDeath: day },
        ...{ PlaceOfDeath: town, AgeAtDeath: "81", Occupation: "Slate worker", NumberOfCopies: copies },
        ...{ MotherForenames: "Anwen", MotherSurname: "Prosser" },
        ...{ FatherForenames: "Idris", FatherSurname: surname },
      };
    case "Marriage":
      return {
        ...{ Spouse1Surname: surname, Spouse1Forenames: forename, DateOfMarriage: day },
        ...{ Spouse2Surname: "Prosser", Spouse2Forenames: "Idris", PlaceOfMarriage: town },
        ...{ RegistrationDistrict: town, NumberOfCopies: copies },
      };
  }
}

/** Filler answers for questions that the invented lives do not cover. */
const notStated = (type: Wish["certificateType"]) =>
  Object.fromEntries(
    Object.values(certificates[type].fields)
      .filter(({ part, optional, rule }) => part === undefined && !optional && !isDate(rule))
      .map(({ key }) => [key, "Not stated"]),
  );

/** The wizard's second request, as parsed by the gateway. */
export const variantRequestOf = (person: Person, wish: Wish, today: string): VariantRequest =>
  variantRequest(today).parse(variantBodyOf(person, wish));

/** The wizard's second request, as posted. */
export function variantBodyOf(person: Person, wish: Wish) {
  const { certificateType, serviceLevel, copies, groReferenceKnown, totalPence } = wish;
  return {
    certificateType,
    customerFirstName: person.forename,
    customerLastName: person.surname,
    gender: "Female",
    eventDetails: {
      EventRegistrationLocation: "England or Wales",
      EventType: certificateType,
      YearRegistered: 1951,
      GROReferenceKnown: groReferenceKnown,
    },
    certificateDetails: { ...notStated(certificateType), ...detailsOf(certificateType, person, copies) },
    gro: groReferenceKnown ? `1951 J ${person.town} 8a 142` : "",
    reference: "",
    priorityDispatch: serviceLevel === "priority",
    fullCertificateQty: copies,
    shortCertificateQty: 0,
    applyingForOwn: false,
    adopted: false,
    serviceType: serviceLevel === "priority" ? "Priority" : "Standard",
    deliveryMethod: "Post",
    apostille: false,
    amount: pounds(totalPence),
  };
}
