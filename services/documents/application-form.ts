import { birth } from "../../domain/certificates/birth.ts";
import { printedName, reference } from "../../domain/certificates/certificate.ts";
import { certificates } from "../../domain/certificates/certificates.ts";
import {
  type ApplicationRecord,
  addressLines,
  type ContactRecord,
} from "../../domain/forms/sealed-records.ts";
import type { Order } from "../../domain/order/state.ts";
import type { Json } from "../../infra/json.ts";
import type { PrintedDocument, PrintedFact, PrintedSection } from "./print-pdf.ts";

const fields = Object.values(certificates).flatMap((certificate) => Object.values(certificate.fields));

/**
 * Labels of the GRO form's fields, by the keys of the specification's section 3. Unlabelled fields are printed under
 * their key: nothing is left out.
 */
const names: Readonly<Record<string, string>> = {
  ...Object.fromEntries(fields.map((field) => [field.alias ?? field.key, printedName(field)])),
  NumberOfCopies: "Number of copies",
};

/** Repeated under other keys, or shown elsewhere on the form. */
const repeated = new Set([
  "EventType",
  ...Object.values(certificates).flatMap(({ joined }) => Object.keys(joined ?? {})),
  ...fields.flatMap(({ key, alias }) => (alias === undefined ? [] : [key])),
]);

const leftEmpty = "—";
/** A date whose parts may be unknown: `4 March 1987`, `(day not known) March 1987`; empty if none was given. */
function dateWords({ Day, Month, Year }: Readonly<Record<string, Json>>): string {
  if ([Day, Month, Year].every((part) => part === null)) return leftEmpty;
  return `${Day ?? "(day not known)"} ${Month ?? "(month not known)"} ${Year ?? "(year not known)"}`;
}

function answerWords(answer: Json): string {
  if (answer === null) return "not known";
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "object") return "Year" in answer ? dateWords(answer) : JSON.stringify(answer);
  return String(answer).trim() || leftEmpty;
}

const factsOf = (answers: Readonly<Record<string, Json>>): PrintedFact[] =>
  Object.entries(answers)
    .filter(([key]) => !repeated.has(key))
    .map(([key, answer]) => ({ name: names[key] ?? key, value: answerWords(answer) }));

/** An application in the order of the GRO's form. */
export function applicationSections(application: ApplicationRecord, signature?: string): PrintedSection[] {
  const { certificateType, certificateDetails, eventDetails, gro } = application;
  const statements = [
    { name: reference.groReference.printed, value: gro || "none given" },
    ...(["applyingForOwn", "adopted"] as const).flatMap((key) =>
      application[key] === undefined
        ? []
        : [{ name: printedName(birth.fields[key]), value: answerWords(application[key]) }],
    ),
    ...(signature === undefined ? [] : [{ name: "Signed", value: signature }]),
  ];
  return [
    { heading: `${certificateType} certificate`, facts: factsOf(certificateDetails) },
    { heading: "Registration", facts: [...factsOf(eventDetails), ...statements] },
  ];
}

/** The applicant, and the recipient of the certificate, if not the customer. */
function deliverySections(contact: ContactRecord, own: readonly PrintedFact[] = []): PrintedSection[] {
  const { contactPhone: phone, recipient } = contact;
  const applicant = {
    heading: "Applicant",
    facts: [
      { name: "Full name", value: contact.contactFullName },
      { name: "Company", value: contact.companyName || leftEmpty },
      { name: "Postal address", value: addressLines(contact.contactAddress) },
      { name: "Email", value: contact.email },
      { name: "Phone, daytime", value: phone.Daytime },
      { name: "Phone, evening", value: phone.Evening || leftEmpty },
      ...own,
    ],
  };
  if (!recipient) return [applicant];
  const facts = [
    { name: "Full name", value: recipient.fullName },
    { name: "Postal address", value: addressLines(recipient.address) },
  ];
  return [applicant, { heading: "Post the certificate to", facts }];
}

/** The contact record, with the customer's own reference, which is not for the GRO. */
export const contactSections = (
  contact: ContactRecord,
  readBy: keyof typeof referenceNames,
): PrintedSection[] =>
  deliverySections(
    contact,
    contact.customerReference ? [{ name: referenceNames[readBy], value: contact.customerReference }] : [],
  );

const referenceNames = { customer: "Your reference", staff: "Their reference" } as const;

/** Opened for one form: personal data, not kept. */
type FormContents = {
  readonly application: ApplicationRecord;
  readonly contact: ContactRecord;
  readonly signature: string | undefined;
};

/** The completed application of an order, for staff who submit it to the GRO by hand. */
export function applicationForm(
  { orderNumber, variant }: Pick<Order, "orderNumber" | "variant">,
  { application, contact, signature }: FormContents,
  made: { readonly at: Date; readonly tradingName: string },
): PrintedDocument {
  return {
    title: `Application for a ${application.certificateType.toLowerCase()} certificate`,
    lead: [
      `Order ${orderNumber}. For submission to the General Register Office by hand.`,
      "This page contains personal data. Destroy it once the GRO has the application. The copy in our vault is destroyed within minutes of submission.",
    ],
    sections: [
      { heading: "Order details", facts: variant ? orderedFacts(variant) : [] },
      ...applicationSections(application, signature),
      ...deliverySections(contact),
    ],
    footer: `${made.tradingName} · order ${orderNumber}`,
    author: made.tradingName,
    madeAt: made.at,
  };
}

const orderedFacts = (variant: NonNullable<Order["variant"]>): PrintedFact[] => [
  { name: "Full copies", value: String(variant.copies) },
  { name: "Short copies", value: String(variant.shortCopies) },
  { name: "Service", value: variant.serviceLevel === "priority" ? "Priority" : "Standard" },
  { name: "Delivery", value: variant.deliveryMethod },
  { name: "Apostille", value: variant.apostille ? "yes" : "no" },
];
