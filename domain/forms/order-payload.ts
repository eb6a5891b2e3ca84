import { poundsOf } from "../pricing/money.ts";
import type { AdoptionDetails } from "../certificates/adoption.ts";
import type { BirthDetails } from "../certificates/birth.ts";
import {
  adoptionCertificateDetails,
  adoptionEventDetails,
  birthCertificateDetails,
  birthEventDetails,
  type Counts,
  deathCertificateDetails,
  deathEventDetails,
  marriageCertificateDetails,
  marriageEventDetails,
} from "../certificates/certificates.ts";
import type { DeathDetails } from "../certificates/death.ts";
import type { MarriageDetails } from "../certificates/marriage.ts";
import type { PersonalDetails } from "./personal-details.ts";

/** The bodies that the browser posts, from validated forms; section 7's fields, money in pounds. */

/** contactAddress, serialized. */
export const contactAddressOf = ({ address }: Pick<PersonalDetails, "address">): string =>
  JSON.stringify({
    Address1: address.line1,
    Address2: address.line2,
    Town: address.town,
    County: address.county,
    Country: address.country,
    PostCode: address.postcode,
  });

/** contactPhone, serialized. */
export const contactPhoneOf = ({ phone }: Pick<PersonalDetails, "phone">): string =>
  JSON.stringify({ Daytime: phone.daytime, Evening: phone.evening });

export interface OrderConsents {
  readonly signature: string;
  readonly termsVersion: number;
  readonly consentVersion: number;
}

/** The body of POST /api/orders. */
export const orderPayloadOf = (person: PersonalDetails, totalPence: number, consents: OrderConsents) => ({
  companyName: person.companyName,
  email: person.email,
  contactFullName: `${person.title} ${person.firstName} ${person.lastName}`,
  contactAddress: contactAddressOf(person),
  contactPhone: contactPhoneOf(person),
  totalAmount: poundsOf(totalPence),
  signature: consents.signature,
  termsVersion: consents.termsVersion,
  consentVersion: consents.consentVersion,
});

export interface VariantChoice extends Counts {
  readonly isPriority: boolean;
  readonly totalPence: number;
  /** The label of the order: see reference.ts. */
  readonly reference: string;
}

/** 'Express' when priority, else 'Standard'. */
export const serviceTypeOf = (isPriority: boolean) =>
  isPriority ? ("Express" as const) : ("Standard" as const);

const variantOf = (person: PersonalDetails, choice: VariantChoice) => ({
  customerFirstName: person.firstName,
  customerLastName: person.lastName,
  reference: choice.reference,
  priorityDispatch: choice.isPriority,
  fullCertificateQty: choice.fullCopies,
  shortCertificateQty: choice.shortCopies,
  serviceType: serviceTypeOf(choice.isPriority),
  deliveryMethod: "Post" as const,
  apostille: false,
  amount: poundsOf(choice.totalPence),
});

/** The body of POST /api/orders/{id}/variants for a birth. */
export const birthVariantPayloadOf = (
  person: PersonalDetails,
  birth: BirthDetails,
  choice: VariantChoice,
) => ({
  certificateType: "Birth" as const,
  ...variantOf(person, choice),
  gender: birth.gender,
  eventDetails: birthEventDetails(birth),
  certificateDetails: birthCertificateDetails(birth, choice),
  gro: birth.groReferenceKnown ? birth.groReference : "",
  applyingForOwn: birth.applyingForOwn,
  adopted: birth.adopted,
});

/** The body of POST /api/orders/{id}/variants for a death. */
export const deathVariantPayloadOf = (
  person: PersonalDetails,
  death: DeathDetails,
  choice: VariantChoice,
) => ({
  certificateType: "Death" as const,
  ...variantOf(person, choice),
  gender: death.gender,
  eventDetails: deathEventDetails(death),
  certificateDetails: deathCertificateDetails(death, choice),
  gro: death.groReferenceKnown ? death.groReference : "",
  applyingForOwn: false,
  adopted: false,
});

/** The body of POST /api/orders/{id}/variants for a marriage. Two people are in it, so it has no one gender. */
export const marriageVariantPayloadOf = (
  person: PersonalDetails,
  marriage: MarriageDetails,
  choice: VariantChoice,
) => ({
  certificateType: "Marriage" as const,
  ...variantOf(person, choice),
  gender: "",
  eventDetails: marriageEventDetails(marriage),
  certificateDetails: marriageCertificateDetails(marriage, choice),
  gro: marriage.groReferenceKnown ? marriage.groReference : "",
  applyingForOwn: false,
  adopted: false,
});

/** The body of POST /api/orders/{id}/variants for an adoption. */
export const adoptionVariantPayloadOf = (
  person: PersonalDetails,
  adoption: AdoptionDetails,
  choice: VariantChoice,
) => ({
  certificateType: "Adoption" as const,
  ...variantOf(person, choice),
  gender: adoption.gender,
  eventDetails: adoptionEventDetails(adoption),
  certificateDetails: adoptionCertificateDetails(adoption, choice),
  gro: adoption.groReferenceKnown ? adoption.groReference : "",
  applyingForOwn: false,
  adopted: true,
});

/** The body of POST /api/orders/{id}/variants for any type. */
export type VariantPayload =
  | ReturnType<typeof birthVariantPayloadOf>
  | ReturnType<typeof deathVariantPayloadOf>
  | ReturnType<typeof marriageVariantPayloadOf>
  | ReturnType<typeof adoptionVariantPayloadOf>;
