import { valueAt } from "../../domain/certificates/certificate.ts";
import { isNotKnown } from "../../domain/forms/answers.ts";
import { sharedAnswers } from "./draft/certificate-answers.ts";
import type { DraftCertificate, DraftType } from "./draft/draft.ts";

/** The answers that name a person of the certificate, for each person. */
const names: Readonly<Record<DraftType, readonly (readonly string[])[]>> = {
  Birth: [["forenamesAtBirth", "surnameAtBirth"]],
  Death: [["deceasedForename", "deceasedSurname"]],
  Marriage: [
    ["spouse1Forenames", "spouse1Surname"],
    ["spouse2Forenames", "spouse2Surname"],
  ],
  Adoption: [["adoptiveForenames", "adoptiveSurname"]],
};

/** Whose certificate it is, as far as known. */
function subjectOf(certificate: DraftCertificate): string {
  const answers = sharedAnswers(certificate);
  const known = (name: string): string => {
    const answer = String(valueAt(answers, [name]) ?? "").trim();
    return isNotKnown(answer) ? "" : answer;
  };
  const people = names[certificate.certificateType].map((parts) =>
    parts.map(known).filter(Boolean).join(" "),
  );
  return people.filter(Boolean).join(" and ");
}

interface CertificateNameProps {
  certificate: DraftCertificate;
  /** Within a sentence it is in lower case. */
  within?: boolean;
}

/** 'Birth certificate of Siân Llywelyn', or what is known of it. */
export function CertificateName({ certificate, within = false }: CertificateNameProps) {
  const kind = `${certificate.certificateType} certificate`;
  const subject = subjectOf(certificate);
  return (
    <span className="wrap-anywhere">
      {within ? kind.toLowerCase() : kind}
      {subject !== "" && (
        <>
          {" of "}
          <span translate="no">{subject}</span>
        </>
      )}
    </span>
  );
}

/** Whose certificate it is, on a line of its own; nothing while that is not known. */
export function Subject({ certificate }: Pick<CertificateNameProps, "certificate">) {
  const subject = subjectOf(certificate);
  if (subject === "") return null;
  return (
    <p translate="no" className="text-14 wrap-anywhere">
      {subject}
    </p>
  );
}
