import type {
  OrderPage,
  Payment,
  RevealedContact,
  TimelineEntry,
} from "../../../../../contract/staff-orders/order-page.ts";
import { penceOf } from "../../../../../domain/pricing/money.ts";

/** Request bodies from the fields of a dialog. */

const text = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
};

export const submissionBody = (fields: FormData) => ({
  groOrderReference: text(fields, "groOrderReference"),
  submittedAt: momentIn(text(fields, "submittedAt")),
});

/** Local time as entered, in UTC. Invalid text passes through for the server to reject. */
function momentIn(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? typed : at.toISOString();
}

export const outcomeBody = (fields: FormData) => ({ outcome: text(fields, "outcome") });

export const failBody = (fields: FormData) => ({
  cause: text(fields, "cause"),
  failure: text(fields, "failure"),
});

/** An invalid amount becomes 0, which the server rejects. */
function amountBody(fields: FormData, payment: Payment | undefined) {
  const pounds = Number(text(fields, "amount").replace(/^£/, "") || Number.NaN);
  return {
    intentId: text(fields, "intentId") || (payment?.intentId ?? ""),
    amountPence: Number.isNaN(pounds) ? 0 : (penceOf(pounds) ?? 0),
  };
}

export const refundBody = (fields: FormData, { payments }: Pick<OrderPage, "payments">) =>
  amountBody(
    fields,
    payments.find(({ refundablePence }) => refundablePence > 0),
  );

/** Bank transfers are for payments with a failed card refund, none pending, and a refundable rest. */
export function isForTransfer({ refundablePence, refunds }: Payment): boolean {
  const byCard = refunds.filter(({ way }) => way === "card").map(({ status }) => status);
  return refundablePence > 0 && byCard.includes("failed") && !byCard.includes("pending");
}

export const bankTransferBody = (fields: FormData, { payments }: Pick<OrderPage, "payments">) => ({
  ...amountBody(fields, payments.find(isForTransfer)),
  reference: text(fields, "reference"),
});

export const transferReturnBody = (fields: FormData) => ({ transfer: Number(text(fields, "transfer")) });

export const disputeOutcomeBody = (fields: FormData) => ({
  disputeId: text(fields, "disputeId"),
  outcome: text(fields, "outcome"),
});

export const proposalBody = (fields: FormData) => ({ proposal: Number(text(fields, "proposal")) });

const addressParts = ["Address1", "Address2", "Town", "County", "PostCode"] as const;

const addressIn = (fields: FormData, prefix = "") =>
  Object.fromEntries(addressParts.map((part) => [part, text(fields, `${prefix}${part}`)]));

/** Another person to post to, null for the customer, or undefined for no change. */
function recipientIn(fields: FormData, known: RevealedContact["contact"] | null) {
  const postTo = text(fields, "postTo");
  if (postTo === "me") return known === null || known.recipient ? null : undefined;
  if (postTo === "") return undefined;
  const fullName = text(fields, "recipientFullName");
  const address = addressIn(fields, "recipient");
  const isKnown =
    known?.recipient?.fullName === fullName &&
    addressParts.every((part) => address[part] === known.recipient?.address[part]);
  return isKnown ? undefined : { fullName, address: { ...address, Country: "United Kingdom" } };
}

/** The customer's own reference; while not revealed, blank means unchanged. */
function referenceIn(fields: FormData, known: RevealedContact["contact"] | null): string | undefined {
  const typed = text(fields, "customerReference");
  return typed === (known?.customerReference ?? "") ? undefined : typed;
}

/** Changed fields only; blank means unchanged. Addresses and phones change as a whole. */
export function contactBody(fields: FormData, known: RevealedContact["contact"] | null) {
  const email = text(fields, "email");
  const contactFullName = text(fields, "contactFullName");
  const address = addressIn(fields);
  const recipient = recipientIn(fields, known);
  const customerReference = referenceIn(fields, known);
  const phone = { Daytime: text(fields, "Daytime"), Evening: text(fields, "Evening") };
  const addressChanged = addressParts.some((part) => address[part] !== (known?.contactAddress[part] ?? ""));
  const phoneChanged =
    phone.Daytime !== (known?.contactPhone.Daytime ?? "") ||
    phone.Evening !== (known?.contactPhone.Evening ?? "");
  return {
    contact: {
      ...(email !== "" && email !== known?.email && { email }),
      ...(contactFullName !== "" && contactFullName !== known?.contactFullName && { contactFullName }),
      ...(addressChanged && { contactAddress: { ...address, Country: "United Kingdom" } }),
      ...(phoneChanged && { contactPhone: phone }),
      ...(recipient !== undefined && { recipient }),
      ...(customerReference !== undefined && { customerReference }),
    },
  };
}

/** Events to show before confirming: changes, and notes, which may ask colleagues to wait. */
export const isNews = ({ type, changes }: TimelineEntry): boolean =>
  changes.length > 0 || type === "NoteAdded";

/** The newest revision equivalent to the one seen: reveals by colleagues change nothing. */
export function sameAs(seen: number, entries: readonly TimelineEntry[]): number {
  const news = entries.find((entry) => entry.revision > seen && isNews(entry));
  const last = entries.at(-1)?.revision ?? seen;
  return news ? news.revision - 1 : Math.max(seen, last);
}
