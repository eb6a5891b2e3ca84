import { anyRule } from "../../../../contract/shapes.ts";
import { revealReason } from "../../../../domain/order/vocabulary.ts";

/** The codes of the registers in words. An unknown code is shown as it is: a newer server may know more. */
const words: Readonly<Record<string, string>> = {
  application: "Application",
  contact: "Contact",
  submitted: "Submitted to the GRO",
  cancelled: "Cancelled",
  failed: "Failed",
  neverPaid: "Never paid",
  retention: "Retention ended",
  erasure: "Erasure requested",
  orderPurged: "Order purged",
  signature: "signature",
  groOrderReference: "GRO order reference",
  fingerprintKey: "fingerprint key",
  orderNote: "staff notes",
  bankTransfer: "reference of a bank transfer",
  ticketContact: "name and address",
  ticketMessage: "messages",
  ticketNote: "staff notes",
  stillReadable: "Data still readable",
  keyRingUnavailable: "Key folder unavailable",
  vaultUnavailable: "Vault unavailable",
  other: "Other error",
  ticket: "To answer a ticket",
  customerAsked: "The customer asked",
  manualSubmission: "To submit by hand",
  groQuery: "The GRO asked",
  subjectAccess: "Subject access request",
  erasureRequest: "Erasure request",
  fraudCheck: "To check for fraud",
  complaint: "Complaint",
  amendment: "To correct something",
};

/** A code in words. */
export const wordsOf = (code: string): string => words[code] ?? code;

/** Codes to choose from, in words. */
export const choices = (codes: readonly string[]) =>
  codes.map((code) => ({ value: code, words: wordsOf(code) }));

/** Every rule by which data is destroyed. */
export const rules = anyRule.options;

/** Every reason for a look at personal data. */
export const lookReasons = revealReason.options;

const steps = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** `41 seconds`, `24 hours`, `365 days`: in the largest unit that says it exactly. */
export function durationWords(seconds: number): string {
  if (seconds === 0) return "at once";
  const [size, unit] = steps.find(([step]) => seconds % step === 0 && seconds / step >= 1) ?? [1, "second"];
  const many = seconds / size;
  return many === 1 && unit === "day" ? "24 hours" : `${many} ${unit}${many === 1 ? "" : "s"}`;
}
