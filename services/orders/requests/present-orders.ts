import type { z } from "zod";
import type { createdAnswer, statusAnswer } from "../../../contract/orders/ordering.ts";
import type { ownApplication, ownContact } from "../../../contract/orders/own-records.ts";
import type { contactLookupAnswer, lookupAnswer, orderAnswer } from "../../../contract/orders/tracking.ts";
import type { Presented } from "../../../contract/request.ts";
import type { receiptShown } from "../../../contract/shapes.ts";
import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";
import type { Instant } from "../../../domain/instant.ts";
import { isUnpaid } from "../../../domain/order/phases.ts";
import type { Order } from "../../../domain/order/state.ts";
import { statusOf } from "../../../domain/order/status.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";
import { afterDespatch } from "../../../domain/promise/timetable.ts";
import type { OrderLookup } from "../../../projections/orders/order-lookup.ts";

export const presentCreated = (order: Order): Presented<typeof createdAnswer> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  reference: order.reference,
});

/** Answers a command on an order. */
export const presentStatus = (order: Order): Presented<typeof statusAnswer> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  status: statusOf(order.phase),
});

export const presentOrder = (found: OrderLookup): Presented<typeof orderAnswer> => ({
  id: found.orderId,
  orderNumber: found.orderNumber,
  reference: found.reference,
  status: found.status,
  createdAt: found.createdAt,
  totalAmount: poundsOf(found.totalPence),
});

/** `contact` is null after the purge. */
export const presentContactLookup = (
  found: OrderLookup,
  contact: ContactRecord | null,
  holder: boolean,
  together: readonly string[] = [],
): Presented<typeof contactLookupAnswer> => ({
  orderNumber: found.orderNumber,
  status: found.status,
  createdAt: found.createdAt,
  totalAmount: poundsOf(found.totalPence),
  promise: found.promise && { receivedOn: found.promise.receivedOn, despatchBy: found.promise.despatchBy },
  contactFullName: contact && (holder ? contact.contactFullName : maskName(contact.contactFullName)),
  email: contact && (holder ? contact.email : maskEmail(contact.email)),
  ...presentForHolder(contact, holder, together),
  holder,
});

/** What a page shows to the order's holder alone. */
const presentForHolder = (contact: ContactRecord | null, holder: boolean, together: readonly string[]) => ({
  recipientName: (holder && contact?.recipient?.fullName) || null,
  customerReference: (holder && contact?.customerReference) || null,
  orderedTogether: holder ? together.map((orderNumber) => ({ orderNumber })) : [],
});

/** The holder's additional rights. */
type Standing = { readonly holder: boolean; readonly mayCommand: boolean };

/**
 * The fields of the specification's section 7, and those the tracking page adds. `id` is for the holder only.
 * @param opened for the holder; undefined once destroyed
 */
export function presentLookup(
  found: OrderLookup,
  { holder, mayCommand }: Standing,
  now: Instant,
  opened: {
    readonly contact?: ContactRecord | undefined;
    readonly question?: string | undefined;
    readonly together?: readonly string[];
  } = {},
): Presented<typeof lookupAnswer> {
  const despatch = despatchOf(found);
  const isOpen = despatch !== null && londonDate(now) < despatch.closesOn;
  return {
    id: holder ? found.orderId : null,
    orderNumber: found.orderNumber,
    status: found.status,
    createdAt: found.createdAt,
    total: poundsOf(found.totalPence),
    items: found.items,
    statusHistory: found.statusHistory.map(({ status, text, timestamp }) => ({ status, text, timestamp })),
    lastUpdated: found.updatedAt,
    promise: found.promise && { receivedOn: found.promise.receivedOn, despatchBy: found.promise.despatchBy },
    receipt: found.receipt && presentReceipt(found.receipt),
    holder,
    certificateType: found.certificateType,
    canCancel: mayCommand && found.cancellable,
    canAmend: mayCommand && found.amendable,
    question: mayCommand && found.question,
    questionText: (holder && found.question && opened.question) || null,
    cancellationRequested: found.cancellationRequested,
    unreachedBy: holder ? found.unreachedBy : null,
    despatch,
    canReportArrival: mayCommand && found.arrivalReportable && isOpen && found.contactRef !== null,
    contactChange: holder ? contactChangeOf(found) : null,
    ...presentForHolder(opened.contact ?? null, holder, opened.together ?? []),
  };
}

/** A despatch reported for an order that had ended otherwise concerns staff alone. */
function despatchOf({ leftGroAt, arrivedAt, arrivalReportable, phase }: OrderLookup) {
  if (leftGroAt === null || (phase !== "Dispatched" && phase !== "Fulfilled")) return null;
  const { missingFrom, ...days } = afterDespatch(leftGroAt);
  return {
    ...days,
    missingFrom: arrivalReportable ? missingFrom : null,
    arrivedOn: arrivedAt === null ? null : londonDate(arrivedAt),
  };
}

/**
 * The contact details the holder may correct: all until the GRO may have name and address, then email and phone until
 * the certificate is despatched. Null once destroyed, and for orders cancelled before payment, which cause no more
 * correspondence.
 */
function contactChangeOf({ contactRef, phase, amendable, question, statusHistory }: OrderLookup) {
  if (contactRef === null || phase === "Dispatched" || phase === "Fulfilled") return null;
  if (phase === "Cancelled" && !statusHistory.some(({ status }) => status === "Processing")) return null;
  return isUnpaid(phase) || amendable || question ? "all" : "reach";
}

function presentReceipt(receipt: NonNullable<OrderLookup["receipt"]>): Presented<typeof receiptShown> {
  return {
    destroyed: receipt.destroyed,
    records: receipt.records,
    at: receipt.purgedAt,
    secondsAfterSubmission: receipt.secondsSinceSubmission,
    rule: receipt.rule,
    probe: receipt.probe,
    keyFingerprint: receipt.keyFingerprint,
  };
}

export const presentApplication = (
  own: z.output<typeof ownApplication>,
): Presented<typeof ownApplication> => ({
  certificateType: own.certificateType,
  customerFirstName: own.customerFirstName,
  customerLastName: own.customerLastName,
  gender: own.gender,
  eventDetails: own.eventDetails,
  certificateDetails: own.certificateDetails,
  gro: own.gro,
  applyingForOwn: own.applyingForOwn,
  adopted: own.adopted,
});

export const presentContact = ({
  contactAddress,
  contactPhone,
  recipient,
  customerReference,
  ...contact
}: ContactRecord): Presented<typeof ownContact> => ({
  companyName: contact.companyName,
  email: contact.email,
  contactFullName: contact.contactFullName,
  ...(contact.contactLastName && { contactLastName: contact.contactLastName }),
  contactAddress: presentAddress(contactAddress),
  contactPhone: { Daytime: contactPhone.Daytime, Evening: contactPhone.Evening },
  ...(recipient && {
    recipient: { fullName: recipient.fullName, address: presentAddress(recipient.address) },
  }),
  ...(customerReference && { customerReference }),
});

const presentAddress = (address: ContactRecord["contactAddress"]) => ({
  Address1: address.Address1,
  Address2: address.Address2,
  Town: address.Town,
  County: address.County,
  Country: address.Country,
  PostCode: address.PostCode,
});

const hidden = "•••";

/** First letters only: `Siân ap Rhys` becomes `S••• a••• R•••`. The number of letters stays hidden too. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0] ?? ""}${hidden}`)
    .join(" ");
}

/** First letters and the top-level domain: `jo@mail.example` becomes `j•••@m•••.example`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  if (at < 1) return hidden;
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf(".");
  const ending = dot > 0 ? domain.slice(dot) : "";
  return `${[...email][0] ?? ""}${hidden}@${[...domain][0] ?? ""}${hidden}${ending}`;
}
