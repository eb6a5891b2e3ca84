import { valueAt } from "../../../domain/certificates/certificate.ts";
import { isNotKnown } from "../../../domain/forms/answers.ts";
import { sharedAnswers } from "./certificate-answers.ts";
import type { DraftCertificate } from "./draft.ts";

// What other certificates of the order say already, such as the surname and the parents of brothers and sisters.

/** Answers that mean the same on certificates of different types. */
const sameAnswers: readonly (readonly string[])[] = [
  ["surnameAtBirth", "deceasedSurname"],
  ["fatherForename", "fatherForenames"],
  ["motherForename", "motherForenames"],
];

/** An answer on a certificate; undefined where it is not asked for, empty or not known. */
function answerOn(certificate: DraftCertificate, name: string): string | undefined {
  const answers = sharedAnswers(certificate);
  const names = sameAnswers.find((same) => same.includes(name)) ?? [name];
  return names
    .map((each) => String(valueAt(answers, [each]) ?? "").trim())
    .find((answer) => answer !== "" && !isNotKnown(answer));
}

/** Answers to questions of the open certificate, and the certificate that has them. */
export interface KnownAnswers<Name extends string> {
  readonly certificate: DraftCertificate;
  readonly answers: readonly { readonly name: Name; readonly answer: string }[];
}

/** What other certificates say in answer to some questions; what several say alike, once. */
export function knownAnswers<Name extends string>(
  others: readonly DraftCertificate[],
  names: readonly Name[],
): KnownAnswers<Name>[] {
  const found = new Map<string, KnownAnswers<Name>>();
  for (const certificate of others) {
    const answers = names.flatMap((name) => {
      const answer = answerOn(certificate, name);
      return answer === undefined ? [] : [{ name, answer }];
    });
    const key = JSON.stringify(answers);
    if (answers.length > 0 && !found.has(key)) found.set(key, { certificate, answers });
  }
  return [...found.values()];
}
