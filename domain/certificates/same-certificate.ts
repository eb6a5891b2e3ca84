import type { ApplicationRecord } from "../forms/sealed-records.ts";

/** Letters, without what may differ where one person types the same twice. */
const plainText = (text: string): string => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

function plain(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, plain(part)] as const);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** What says which certificate an application is for: neither who applies, nor how many copies, nor how fast. */
function certificateIn({
  certificateType,
  certificateDetails,
  eventDetails,
  gro,
}: ApplicationRecord): string {
  const { NumberOfCopies: _, ...details } = certificateDetails;
  return JSON.stringify(plain([certificateType, details, eventDetails, gro]));
}

/** Whether two applications are for the same certificate. Case and spaces do not matter. */
export const isSameCertificate = (one: ApplicationRecord, other: ApplicationRecord): boolean =>
  certificateIn(one) === certificateIn(other);
