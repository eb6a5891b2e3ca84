import { certificateReview, type ReviewFact } from "../../../../domain/certificates/certificates.ts";
import { country } from "../../../../domain/forms/options.ts";
import { certificatesOf } from "../../../ordering/draft/basket.ts";
import { sharedAnswers } from "../../../ordering/draft/certificate-answers.ts";
import type { Draft, DraftCertificate } from "../../../ordering/draft/draft.ts";
import { isComplete } from "../../../ordering/draft/steps.ts";

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
export const choiceFacts = ({
  certificateType,
  certificateOptions: options,
}: DraftCertificate): ReviewFact[] => [
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
export const certificateFacts = (certificate: DraftCertificate): ReviewFact[] =>
  certificateReview(certificate.certificateType, sharedAnswers(certificate));

/** The certificates that cannot be ordered yet; `id` is of the button that opens each. `today` is the day in London. */
export const unfinishedErrors = (draft: Draft, today: string) =>
  certificatesOf(draft).flatMap((certificate, place) =>
    isComplete(certificate, today)
      ? []
      : [
          {
            id: `finish-${place}`,
            message: `Finish the ${certificate.certificateType.toLowerCase()} certificate, or remove it from your order`,
          },
        ],
  );

/** A missing item of step 4: the control's id, and the message. */
export interface SigningError {
  readonly id: "signature" | "accept-terms" | "ask-to-begin";
  readonly message: string;
}

/** In the order of the page. */
export function signingErrors({
  signature,
  acceptsTerms,
  asksToBegin,
}: Pick<Draft, "signature" | "acceptsTerms" | "asksToBegin">): SigningError[] {
  const missing: SigningError[] = [];
  if (signature.trim() === "") missing.push({ id: "signature", message: "Type your full name to sign" });
  if (!acceptsTerms) missing.push({ id: "accept-terms", message: acceptTerms });
  if (!asksToBegin) missing.push({ id: "ask-to-begin", message: askToBegin });
  return missing;
}

const acceptTerms = "Please accept the terms and conditions to continue";
const askToBegin = "Please ask us to start now, or we cannot submit your application";

/** The notification about an unticked box; the terms come first. Undefined when both are ticked. */
export function boxNotice({ acceptsTerms, asksToBegin }: Pick<Draft, "acceptsTerms" | "asksToBegin">) {
  if (!acceptsTerms) return { title: "Terms & Conditions", description: acceptTerms };
  return asksToBegin ? undefined : { title: "Your request to start", description: askToBegin };
}
