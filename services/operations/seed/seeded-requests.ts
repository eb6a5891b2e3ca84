import { type CreateOrderRequest, createOrderRequest } from "../../../contract/orders/ordering.ts";
import { isDate } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { currentConsent, currentTerms } from "../../../domain/forms/agreements.ts";
import { country } from "../../../domain/forms/options.ts";
import { type VariantRequest, variantRequest } from "../../../domain/forms/variant-request.ts";
import type { CertificateType } from "../../../domain/order/vocabulary.ts";
import { between, pick } from "./seeded-random.ts";

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

/**
 * Invented people. Names from fixed lists, addresses in real towns with invented streets, and email addresses that
 * cannot exist.
 */
export type Person = {
  readonly forename: string;
  readonly surname: string;
  readonly email: string;
  readonly street: string;
  readonly town: string;
  readonly county: string;
  readonly postcode: string;
  readonly telephone: string;
};

const peoples: readonly { readonly forenames: readonly string[]; readonly surnames: readonly string[] }[] = [
  {
    forenames: ["Siân", "Gwen", "Llŷr", "Dafydd", "Cerys", "Rhodri", "Mair", "Owain", "Nerys", "Tomos"],
    surnames: ["Rhys", "Prydderch", "Llywelyn", "Bevan", "Gruffydd", "Pugh", "Ellis-Wyn", "Madog"],
  },
  {
    forenames: ["Ada", "George", "Hannah", "Noor", "Priya", "Edith", "Samuel", "Joan", "Marcus", "Imogen"],
    surnames: ["Ashworth", "Okafor", "Whitlock", "Patel", "Hargreaves", "Lowther", "Bassi", "St. Clair"],
  },
  {
    forenames: ["Zofia", "Łukasz", "Małgorzata", "Wojciech", "Żaneta", "Paweł", "Iwona", "Kacper"],
    surnames: ["Wójcik", "Kowalczyk", "Zieliński", "Dąbrowska", "Szymańska", "Nowak-Lis", "Mazur"],
  },
];

const places: readonly (readonly [town: string, county: string, district: string])[] = [
  ["Aberystwyth", "Ceredigion", "SY23"],
  ["Cardiff", "South Glamorgan", "CF10"],
  ["Bangor", "Gwynedd", "LL57"],
  ["Leeds", "West Yorkshire", "LS6"],
  ["Norwich", "Norfolk", "NR2"],
  ["Truro", "Cornwall", "TR1"],
  ["Manchester", "Greater Manchester", "M14"],
  ["Ealing", "London", "W5"],
];

const streets: readonly string[] = [
  "Heol y Bont",
  "Chapel Row",
  "Station Road",
  "Stryd Fawr",
  "Mill Lane",
  "Orchard Close",
];

const plain = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/ł/g, "l")
    .replace(/Ł/g, "L")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();

export function personOf(random: () => number, nth: number): Person {
  const people = pick(random, peoples);
  const forename = pick(random, people.forenames);
  const surname = pick(random, people.surnames);
  const [town, county, district] = pick(random, places);
  const letters = "ABDEFGHJLNPQRSTUWXYZ";
  const inward = `${between(random, 1, 9)}${letters[between(random, 0, 19)]}${letters[between(random, 0, 19)]}`;
  return {
    forename,
    surname,
    // A tenth return: they order again, or write to us.
    email: `${plain(forename)}.${plain(surname)}${nth % 10 === 0 ? "" : nth}@post.example`,
    street: `${between(random, 1, 180)} ${pick(random, streets)}`,
    town,
    county,
    postcode: `${district} ${inward}`,
    // Ofcom reserves these numbers for fiction.
    telephone: `01632 960${String(between(random, 0, 999)).padStart(3, "0")}`,
  };
}
