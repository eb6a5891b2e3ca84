import { certificateReview, type ReviewFact } from "../../../../domain/certificates/review.ts";
import { country } from "../../../../domain/forms/options.ts";
import type { Draft } from "../../../ordering/draft/draft.ts";
import { sharedAnswers } from "../../../ordering/draft/valid-details.ts";

const fact = (name: string, ...parts: readonly string[]): ReviewFact => ({
  name,
  answer: parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(" "),
});

const lines = (name: string, ...parts: readonly string[]): ReviewFact => ({
  name,
  answer: parts.filter((part) => part.trim() !== "").join("\n"),
});

const given = (facts: readonly ReviewFact[]): ReviewFact[] => facts.filter(({ answer }) => answer !== "");

/** Certificate, copies and service level. */
export const choiceFacts = ({ certificateType, certificateOptions: options }: Draft): ReviewFact[] => [
  fact("Certificate type", `${certificateType} Certificate`),
  fact("Service level", options.isPriority ? "Priority" : "Standard"),
  fact("Full copies", String(options.fullCertificates)),
  fact("Short copies", String(options.shortCertificates)),
];

/** The customer's details and addresses. */
export function contactFacts({ personalDetails: person }: Draft): ReviewFact[] {
  const { address, phone, recipient } = person;
  return given([
    fact("Name", person.title, person.firstName, person.lastName),
    fact("Company", person.companyName),
    fact("Email", person.email),
    lines(
      "Address",
      address.line1,
      address.line2,
      address.town,
      address.county,
      address.postcode,
      address.country,
    ),
    ...(recipient.postTo === "someone else" ? [recipientFact(recipient)] : []),
    fact("Daytime phone", phone.daytime),
    fact("Evening phone", phone.evening),
    fact("Your reference (not sent to the GRO)", person.customerReference),
  ]);
}

const recipientFact = (recipient: Draft["personalDetails"]["recipient"]): ReviewFact =>
  lines(
    "Post the certificate to",
    recipient.fullName,
    recipient.line1,
    recipient.line2,
    recipient.town,
    recipient.county,
    recipient.postcode,
    country,
  );

/** The subject of the certificate, and the register entry. */
export const certificateFacts = (draft: Draft): ReviewFact[] =>
  certificateReview(draft.certificateType, sharedAnswers(draft));
