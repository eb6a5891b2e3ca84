/** Who runs the service, as customers see it. An empty text is not set, and is not shown. */
export interface Company {
  readonly tradingName: string;
  /** As registered: `Ash and Oak Certificates Ltd`. */
  readonly companyName: string;
  /** As Companies House has it, 8 characters. */
  readonly companyNumber: string;
  /** `GB123456789`; empty where the company is not registered for VAT. */
  readonly vatNumber: string;
  readonly registeredIn: PlaceOfRegistration | "";
  /** On one line; empty where it is the postal address. */
  readonly registeredOffice: string;
  /** On one line, without the name: `Nottingham, NG1, United Kingdom`. */
  readonly postalAddress: string;
  readonly supportEmail: string;
  readonly telephone: string;
  /** `Monday to Friday, 9am to 5pm`. */
  readonly telephoneHours: string;
  /** The usual reply time, 1 to 10. */
  readonly replyWorkingDays: string;
}

/** Source: Companies Act 2006, sections 9(2)(b) and 88; `Wales` where the company chose it. */
export const placesOfRegistration = ["England and Wales", "Wales", "Scotland", "Northern Ireland"] as const;
type PlaceOfRegistration = (typeof placesOfRegistration)[number];

/** Where a company of that number can be registered. Source: Companies House, company number prefixes. */
export function placesFor(companyNumber: string): readonly PlaceOfRegistration[] {
  if (/^S[CLO]/.test(companyNumber)) return ["Scotland"];
  if (/^(N[CILO]|R0)/.test(companyNumber)) return ["Northern Ireland"];
  if (/^(\d|OC)/.test(companyNumber)) return ["England and Wales", "Wales"];
  return placesOfRegistration;
}

/**
 * What customers must be given. Source: Electronic Commerce (EC Directive) Regulations 2002, regulation 6; Company,
 * Limited Liability Partnership and Business (Names and Trading Disclosures) Regulations 2015, regulation 25.
 */
export const legalDetails = [
  "companyName",
  "companyNumber",
  "registeredIn",
  "postalAddress",
  "supportEmail",
] as const;
export type LegalDetail = (typeof legalDetails)[number];

/** What the law demands and these details lack. */
export function missingByLaw(company: Company): readonly LegalDetail[] {
  const given: Readonly<Record<LegalDetail, boolean>> = {
    companyName: company.companyName !== "",
    companyNumber: company.companyNumber !== "",
    registeredIn: company.registeredIn !== "",
    postalAddress: isGeographic(company.postalAddress),
    supportEmail: !invented.test(company.supportEmail),
  };
  return legalDetails.filter((detail) => !given[detail]);
}

const postcode = /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/i;
const poBox = /\bP\.? ?O\.? ?Box\b/i;

/** A place that can be visited: its postcode is whole, and it is no PO box. */
const isGeographic = (address: string): boolean => postcode.test(address) && !poBox.test(address);

/** Names that never receive mail. Source: RFC 2606. */
const invented = /[.@](example|example\.(com|net|org)|test|invalid|localhost)$/i;

/**
 * The company behind the trading name, a sentence each: name, number and place of registration, registered office, VAT.
 * Source of the last: Electronic Commerce (EC Directive) Regulations 2002, regulation 6(1)(g).
 */
export function registrationLines(company: Company): readonly string[] {
  const { tradingName, companyName, companyNumber, registeredIn, registeredOffice, vatNumber } = company;
  return [
    ...(companyName === "" || companyName === tradingName
      ? []
      : [`${tradingName} is a trading name of ${companyName}.`]),
    ...(companyNumber === ""
      ? []
      : [`Company number ${companyNumber}${registeredIn === "" ? "" : `, registered in ${registeredIn}`}.`]),
    ...(registeredOffice === "" ? [] : [`Registered office: ${registeredOffice}.`]),
    ...(vatNumber === "" ? [] : [`VAT registration number ${vatNumber}.`]),
  ];
}

/** Every way to reach the company, and where it is. */
export const contactLines = (company: Company): readonly string[] =>
  [company.supportEmail, telephoneWords(company), company.postalAddress].filter((line) => line !== "");

/** `Telephone 0115 496 0000 (Monday to Friday, 9am to 5pm)`; empty without a number. */
export const telephoneWords = ({ telephone, telephoneHours }: Company): string =>
  telephone === "" ? "" : `Telephone ${telephone}${telephoneHours === "" ? "" : ` (${telephoneHours})`}`;

/** `We usually reply within 2 working days.`; empty where no time is set. */
export const replyWords = ({ replyWorkingDays }: Company): string =>
  replyWorkingDays === ""
    ? ""
    : `We usually reply within ${replyWorkingDays === "1" ? "one working day" : `${replyWorkingDays} working days`}.`;
