import { valueAt } from "../../domain/certificates/certificate.ts";
import { certificates } from "../../domain/certificates/certificates.ts";
import { mostOrders } from "../../domain/checkout/shares.ts";
import { certificateTypes } from "../../domain/forms/options.ts";
import { personalDetailsSchema } from "../../domain/forms/personal-details.ts";
import {
  adoption,
  birth,
  changed,
  death,
  marriage,
  person,
  problems,
  recipient,
  today,
} from "../domain/form-fixture.ts";
import { draftBody } from "./request-bodies-fixture.ts";

/** Saved drafts of as many certificates as one order may have. */

const forms = { birth, death, marriage, adoption };

/** Three bytes in UTF-8: as many as any character has that counts as one. */
const wide = "ẅ";
const longest = 500;

/** The paths of all texts. */
const textsIn = (answers: unknown, path: readonly string[] = []): string[] =>
  typeof answers === "object" && answers !== null
    ? Object.entries(answers).flatMap(([name, part]) => textsIn(part, [...path, name]))
    : [path.join(".")];

/** The answers with each text that takes any words as long as its form accepts. */
const lengthened = (schema: Parameters<typeof problems>[0], answers: unknown): unknown =>
  textsIn(answers).reduce((longer, path) => {
    const isAccepted = (length: number): boolean =>
      problems(schema, changed(longer, path, wide.repeat(length))).length === 0;
    let length = longest;
    while (length > 0 && !isAccepted(length)) length -= 10;
    return length > 0 ? changed(longer, path, wide.repeat(length)) : longer;
  }, answers);

/** Ten certificates of the type whose answers are the longest, in three-byte letters, for a recipient. */
export function longestDraft() {
  const { certificateOptions, ...rest } = draftBody().draft;
  const all = certificateTypes.map((certificateType) => {
    const { form, details } = certificates[certificateType];
    const asked = { ...forms[form], groReferenceKnown: "yes" };
    return { certificateType, certificateOptions, [form]: lengthened(details(today), asked) };
  });
  const [certificate] = all.toSorted((one, other) => bytesOf(other) - bytesOf(one));
  const others = Array.from({ length: mostOrders - 1 }, () => certificate);
  const details = { ...person, recipient, customerReference: "SMITH/42" };
  return { ...rest, ...certificate, others, personalDetails: lengthened(personalDetailsSchema, details) };
}

export const bytesOf = (answers: unknown): number => Buffer.byteLength(JSON.stringify(answers));

/** Ten births that take up exactly so many bytes. */
export function draftOfBytes(bytes: number) {
  const draft = { ...draftBody().draft, birth: {}, others: [] };
  const { certificateType, certificateOptions } = draft;
  const empty = textsIn(birth).reduce<unknown>((form, path) => changed(form, path, ""), birth);
  const all = Array.from({ length: mostOrders }, () => empty);
  const withBirths = ([first, ...rest]: readonly unknown[]) => ({
    ...draft,
    birth: first,
    others: rest.map((form) => ({ certificateType, certificateOptions, birth: form })),
  });
  let left = bytes - bytesOf(withBirths(all));
  const filled = all.map((form) =>
    textsIn(form).reduce((longer, path) => {
      const length = Math.min(left, longest);
      left -= length;
      return changed(longer, path, `${valueAt(longer, path.split("."))}${"x".repeat(length)}`);
    }, form),
  );
  return withBirths(filled);
}
