import type { z } from "zod";
import type { createdAnswer, statusAnswer } from "../../../contract/orders/ordering.ts";
import type { ownApplication, ownContact } from "../../../contract/orders/own-records.ts";
import type { contactLookupAnswer, orderAnswer } from "../../../contract/orders/tracking.ts";
import type { Presented } from "../../../contract/request.ts";
import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";
import type { Order } from "../../../domain/order/state.ts";
import { statusOf } from "../../../domain/order/status.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
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
): Presented<typeof contactLookupAnswer> => ({
  orderNumber: found.orderNumber,
  status: found.status,
  createdAt: found.createdAt,
  totalAmount: poundsOf(found.totalPence),
  promise: found.promise && { receivedOn: found.promise.receivedOn, despatchBy: found.promise.despatchBy },
  contactFullName: contact && (holder ? contact.contactFullName : maskName(contact.contactFullName)),
  email: contact && (holder ? contact.email : maskEmail(contact.email)),
  ...presentForHolder(contact, holder),
  holder,
});

/** What a page shows to the order's holder alone. */
export const presentForHolder = (contact: ContactRecord | null, holder: boolean) => ({
  recipientName: (holder && contact?.recipient?.fullName) || null,
  customerReference: (holder && contact?.customerReference) || null,
});

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
