import { Link } from "react-router-dom";
import { maySend } from "../../../../contract/request.ts";
import { anyRule } from "../../../../contract/shapes.ts";
import { openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { revealReason } from "../../../../domain/order/vocabulary.ts";
import { useIdentity } from "../../../identity/identity-store.ts";
import { adminPages } from "../../paths.ts";

interface AboutLinkProps {
  about: "order" | "ticket" | "draft";
  number: string | null;
}

/** Link to the order or ticket of an entry. Compliance has no access to tickets; saved drafts have no page. */
export function AboutLink({ about, number }: AboutLinkProps) {
  const { role } = useIdentity();
  if (about === "draft") return <span className="text-muted">unfinished order</span>;
  if (number === null) return <span className="text-muted">not listed yet</span>;
  if (about === "ticket" && !maySend(role, openTicketAsStaff))
    return <span className="font-mono">{number}</span>;
  return (
    <Link
      className="link font-mono whitespace-nowrap"
      to={about === "order" ? adminPages.order(number) : adminPages.ticket(number)}
    >
      {number}
    </Link>
  );
}

/** Register codes in words. Codes of a newer server are shown as they are. */
const words: Readonly<Record<string, string>> = {
  application: "Application",
  contact: "Contact",
  submitted: "Submitted to the GRO",
  cancelled: "Cancelled",
  failed: "Failed",
  neverPaid: "Never paid",
  retention: "Retention period ended",
  erasure: "Erasure requested",
  orderPurged: "Order purged",
  signature: "signature",
  groOrderReference: "GRO order reference",
  fingerprintKey: "fingerprint key",
  orderNote: "staff notes",
  bankTransfer: "bank transfer reference",
  ticketContact: "name and email address",
  ticketMessage: "messages",
  ticketNote: "staff notes",
  mailed: "Link mailed",
  ordered: "Order placed",
  requested: "Deleted at the customer’s request",
  replaced: "Saved again",
  expired: "Link expired",
  savedDraft: "saved answers",
  savedDraftLink: "email address and link",
  stillReadable: "Data still readable",
  keyRingUnavailable: "Key ring unavailable",
  vaultUnavailable: "Vault unavailable",
  other: "Other error",
  ticket: "To answer a ticket",
  customerAsked: "The customer asked",
  manualSubmission: "To submit it by hand",
  groQuery: "The GRO has a question",
  subjectAccess: "Subject access request",
  erasureRequest: "Erasure request",
  fraudCheck: "To check for fraud",
  complaint: "To answer a complaint",
  amendment: "To correct or amend it",
};

export const wordsOf = (code: string): string => words[code] ?? code;

export const choices = (codes: readonly string[]) =>
  codes.map((code) => ({ value: code, words: wordsOf(code) }));

/** Every purge rule. */
export const rules = anyRule.options;

/** Every reason for a reveal. */
export const lookReasons = revealReason.options;

const steps = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** `41 seconds`, `24 hours`, `365 days`: in the largest exact unit. */
export function durationWords(seconds: number): string {
  if (seconds === 0) return "immediately";
  const [size, unit] = steps.find(([step]) => seconds % step === 0 && seconds / step >= 1) ?? [1, "second"];
  const many = seconds / size;
  return many === 1 && unit === "day" ? "24 hours" : `${many} ${unit}${many === 1 ? "" : "s"}`;
}
