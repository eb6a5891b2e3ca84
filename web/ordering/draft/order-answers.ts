import type {
  AnotherOrder,
  ContactChange,
  OwnApplication,
  OwnContact,
} from "../../../contract/orders/own-records.ts";
import { type Certificate, type Field, isDate, valueAt } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { applicationPayloadOf } from "../../../domain/certificates/payload.ts";
import { type Applicant, applicantNamed } from "../../../domain/forms/names.ts";
import { country, titles } from "../../../domain/forms/options.ts";
import {
  contactAddressOf,
  contactPhoneOf,
  recipientOf,
  serviceTypeOf,
} from "../../../domain/forms/order-payload.ts";
import type { PersonalDetails, ReachDetails } from "../../../domain/forms/personal-details.ts";
import { currentOf, withCertificates } from "./basket.ts";
import {
  type CertificateAnswers,
  certificateAnswers,
  emptyAnswers,
  type ValidDetails,
} from "./certificate-answers.ts";
import { type Draft, type DraftCertificate, draftOf, emptyDraft, type PersonAnswers } from "./draft.ts";

// An order's own records as answers of the forms, and the answers as the records that replace them.

/** The server recomputes the copies, which the order fixes. */
const counts = { fullCopies: 0, shortCopies: 0 };

export const applicationOf = ({ type, details }: ValidDetails, applicant: Applicant): OwnApplication => ({
  ...applicant,
  certificateType: type,
  ...applicationPayloadOf(type, details, counts),
});

const typed = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A date in its three fields; a null part was answered by `unknown`. */
function dateTyped(value: unknown, unknown: string) {
  const part = (name: string): unknown => valueAt(value, [name]) ?? null;
  const orUnknown = (answer: unknown): string => (answer === null ? unknown : typed(answer));
  return { day: orUnknown(part("Day")), month: orUnknown(part("Month")), year: typed(part("Year")) };
}

function answerTyped({ rule, answeredBy, key, part }: Field, application: OwnApplication): unknown {
  const path = part === "application" ? [key] : [part ?? "certificateDetails", key];
  const value = valueAt(application, path);
  if (isDate(rule)) return dateTyped(value, rule.unknownPart);
  if (answeredBy === "yes or no") return value === true ? "yes" : "no";
  return typed(value);
}

/** The forms as entered for this application, to prefill a change. */
export function enteredAnswers(application: OwnApplication): CertificateAnswers {
  const { form, fields }: Certificate = certificates[application.certificateType];
  const entered = Object.entries(fields).map(([name, field]) => [name, answerTyped(field, application)]);
  return certificateAnswers.parse({ ...emptyAnswers(), [form]: Object.fromEntries(entered) });
}

/** Your Details as entered. The record holds one full name, which stays the same if saved unchanged. */
export function enteredContact(contact: OwnContact): PersonAnswers {
  const { companyName, email, contactFullName, contactAddress: address, contactPhone: phone } = contact;
  const { recipient, customerReference = "" } = contact;
  const { customerFirstName, customerLastName } = applicantNamed(contact);
  return {
    title: titles.find((title) => contactFullName.startsWith(`${title} `)) ?? "",
    firstName: customerFirstName,
    lastName: customerLastName,
    companyName,
    email,
    confirmEmail: email,
    address: {
      line1: address.Address1,
      line2: address.Address2,
      town: address.Town,
      county: address.County,
      postcode: address.PostCode,
      country,
    },
    phone: { daytime: phone.Daytime, evening: phone.Evening },
    recipient: {
      postTo: recipient ? "someone else" : "me",
      fullName: recipient?.fullName ?? "",
      line1: recipient?.address.Address1 ?? "",
      line2: recipient?.address.Address2 ?? "",
      town: recipient?.address.Town ?? "",
      county: recipient?.address.County ?? "",
      postcode: recipient?.address.PostCode ?? "",
    },
    customerReference,
  };
}

/** Each part is sent as a whole. */
const reachParts = (details: ReachDetails): ContactChange[] => [
  { email: details.email },
  { contactPhone: contactPhoneOf(details) },
  { customerReference: details.customerReference },
];

const contactParts = (details: PersonalDetails | PersonAnswers): ContactChange[] => [
  ...reachParts(details),
  { companyName: details.companyName },
  {
    contactFullName: `${details.title} ${details.firstName} ${details.lastName}`,
    contactLastName: details.lastName,
  },
  { contactAddress: contactAddressOf(details) },
  { recipient: recipientOf(details) },
];

/** Only what differs from the form as loaded: staff may have corrected the rest since. */
function changeOf(parts: readonly ContactChange[], loaded: readonly ContactChange[]): ContactChange {
  const known = new Set(loaded.map((part) => JSON.stringify(part)));
  return Object.assign({}, ...parts.filter((part) => !known.has(JSON.stringify(part))));
}

/** The correction to send once the GRO may have name and address. */
export const reachChangeOf = (details: ReachDetails, loaded: PersonAnswers): ContactChange =>
  changeOf(reachParts(details), reachParts(loaded));

/** The correction to send until then. */
export const contactChangeOf = (details: PersonalDetails, loaded: PersonAnswers): ContactChange =>
  changeOf(contactParts(details), contactParts(loaded));

const certificateDetailsStep = 3;

function certificateLike({ certificateType, copies, isPriority }: AnotherOrder): DraftCertificate {
  const fresh = currentOf(draftOf(certificateType));
  return {
    ...fresh,
    certificateOptions: {
      ...fresh.certificateOptions,
      fullCertificates: copies,
      isPriority,
      serviceType: serviceTypeOf(isPriority),
    },
  };
}

/**
 * The draft of a certificate like each of others: their contact and choices, and nothing about the person on the
 * certificate. It opens where that is asked for, or at the first step that is not complete.
 */
export function draftLike(others: readonly AnotherOrder[]): Draft {
  const draft = withCertificates(emptyDraft(), others.map(certificateLike), 0);
  const contact = others.find((other) => other.contact !== null)?.contact;
  return {
    ...draft,
    personalDetails: contact ? enteredContact(contact) : draft.personalDetails,
    step: certificateDetailsStep,
  };
}
