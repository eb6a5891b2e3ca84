import {
  adoptionCertificateDetails,
  adoptionEventDetails,
  birthCertificateDetails,
  birthEventDetails,
  deathCertificateDetails,
  deathEventDetails,
  marriageCertificateDetails,
  marriageEventDetails,
} from "../../domain/certificates/certificates.ts";
import type { Application } from "../api/application.ts";
import type { ValidDetails } from "../draft/valid-details.ts";

/** Who applies, as the GRO is told. */
export type Applicant = Pick<Application, "customerFirstName" | "customerLastName">;

/** The server counts the copies again from the order, which they are fixed with. */
const counts = { fullCopies: 0, shortCopies: 0 };

const referenceOf = ({ details }: ValidDetails): string =>
  details.groReferenceKnown ? details.groReference : "";

/** The body that changes an application, from its form. */
export function applicationOf(valid: ValidDetails, applicant: Applicant): Application {
  const shared = { ...applicant, certificateType: valid.type, gro: referenceOf(valid) };
  switch (valid.type) {
    case "Birth":
      return {
        ...shared,
        gender: valid.details.gender,
        eventDetails: birthEventDetails(valid.details),
        certificateDetails: birthCertificateDetails(valid.details, counts),
        applyingForOwn: valid.details.applyingForOwn,
        adopted: valid.details.adopted,
      };
    case "Death":
      return {
        ...shared,
        gender: valid.details.gender,
        eventDetails: deathEventDetails(valid.details),
        certificateDetails: deathCertificateDetails(valid.details, counts),
        applyingForOwn: false,
        adopted: false,
      };
    case "Marriage":
      return {
        ...shared,
        gender: "",
        eventDetails: marriageEventDetails(valid.details),
        certificateDetails: marriageCertificateDetails(valid.details, counts),
        applyingForOwn: false,
        adopted: false,
      };
    case "Adoption":
      return {
        ...shared,
        gender: valid.details.gender,
        eventDetails: adoptionEventDetails(valid.details),
        certificateDetails: adoptionCertificateDetails(valid.details, counts),
        applyingForOwn: false,
        adopted: true,
      };
    default:
      return valid satisfies never;
  }
}
