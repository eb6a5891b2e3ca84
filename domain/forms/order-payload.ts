import type { Details } from "../certificates/certificate.ts";
import { applicationPayloadOf, type Counts } from "../certificates/payload.ts";
import type { CertificateType } from "../order/vocabulary.ts";
import { poundsOf } from "../pricing/money.ts";
import { country } from "./options.ts";
import type { PersonalDetails } from "./personal-details.ts";
import type { Recipient } from "./sealed-records.ts";

/** The bodies that the browser posts, from validated forms; section 7's fields, money in pounds. */

type Address = Readonly<Record<keyof PersonalDetails["address"], string>>;

/** contactAddress, serialized. */
export const contactAddressOf = ({ address }: { readonly address: Address }): string =>
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

/** The recipient of the certificate, if not the customer; else null. */
export const recipientOf = ({ recipient }: Pick<PersonalDetails, "recipient">): Recipient | null =>
  recipient.postTo === "me"
    ? null
    : {
        fullName: recipient.fullName,
        address: {
          Address1: recipient.line1,
          Address2: recipient.line2,
          Town: recipient.town,
          County: recipient.county,
          Country: country,
          PostCode: recipient.postcode,
        },
      };

interface OrderConsents {
  readonly signature: string;
  readonly termsVersion: number;
  readonly consentVersion: number;
}

/** The body of POST /api/orders. Recipient and reference are left out where there is none. */
export const orderPayloadOf = (person: PersonalDetails, totalPence: number, consents: OrderConsents) => ({
  companyName: person.companyName,
  email: person.email,
  contactFullName: `${person.title} ${person.firstName} ${person.lastName}`,
  contactLastName: person.lastName,
  contactAddress: contactAddressOf(person),
  contactPhone: contactPhoneOf(person),
  ...contactExtras(person),
  totalAmount: poundsOf(totalPence),
  signature: consents.signature,
  termsVersion: consents.termsVersion,
  consentVersion: consents.consentVersion,
});

function contactExtras(person: PersonalDetails): { recipient?: Recipient; customerReference?: string } {
  const { customerReference } = person;
  const recipient = recipientOf(person);
  return { ...(recipient && { recipient }), ...(customerReference && { customerReference }) };
}

interface VariantChoice extends Counts {
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
  apostille: false as const,
  amount: poundsOf(choice.totalPence),
});

/** The body of POST /api/orders/{id}/variants. */
export const variantPayloadOf = (
  person: PersonalDetails,
  type: CertificateType,
  details: Details,
  choice: VariantChoice,
) => ({
  certificateType: type,
  ...variantOf(person, choice),
  ...applicationPayloadOf(type, details, choice),
});
export type VariantPayload = ReturnType<typeof variantPayloadOf>;
