import { addressLines, type ContactRecord } from "../../domain/forms/sealed-records.ts";
import { chargedBackPence, duePayment, wentBackPence } from "../../domain/order/payment/money.ts";
import { forbidden } from "../../domain/order/rules.ts";
import type { Order, Payment, Variant } from "../../domain/order/state.ts";
import { formatPounds, vatPercent, vatWithin } from "../../domain/pricing/money.ts";
import type { Company } from "../../domain/settings/company.ts";
import { writtenMoment } from "./dates.ts";
import type { PrintedDocument, PrintedFact, PrintedSection } from "./print-pdf.ts";

/** What a receipt is asked for with. */
type Asked = {
  /** The order it was asked for. */
  readonly order: Order;
  /** Who bought that order; undefined once destroyed. */
  readonly contact: ContactRecord | undefined;
  /** The orders of its payment that may be shown, itself among them, in the customer's sequence. */
  readonly orders: readonly Order[];
  /** How many more the payment was for. */
  readonly hidden: number;
};

/** An order with the payment that was due for it. */
type Paid = { readonly order: Order; readonly variant: Variant; readonly payment: Payment };

/**
 * A receipt for the payment of an order, with each order that it paid for and their refunds.
 * @throws Refused (not-paid)
 */
export function paymentReceipt(
  { order, contact, orders, hidden }: Asked,
  { at, company }: { readonly at: Date; readonly company: Company },
): PrintedDocument {
  const paid = orders.map(paidOrder);
  const { orderNumber } = order;
  const others = paid.length - 1;
  return {
    title: "Receipt",
    lead: [paymentWords(paid), ...(hidden > 0 ? [hiddenWords(hidden)] : [])],
    sections: [
      { heading: "Sold by", facts: sellerFacts(company) },
      buyerSection(contact, others > 0 ? `Certificate of order ${orderNumber}` : "Certificate"),
      ...paidSections(paid),
      vatSection(paid, company),
      ...refundSections(paid),
    ],
    footer: `${company.tradingName} · receipt for order ${orderNumber}${others > 0 ? ` and ${counted(others)}` : ""}`,
    author: company.tradingName,
    madeAt: at,
  };
}

function paidOrder(order: Order): Paid {
  const { variant } = order;
  const payment = duePayment(order);
  if (variant === null || payment === undefined) throw forbidden(order, "not-paid");
  return { order, variant, payment };
}

/** Each order records the payment by itself: the first to do so says when it was made. */
function paymentWords(paid: readonly Paid[]): string {
  const [first = ""] = paid.map(({ payment }) => payment.at).toSorted();
  const when = `by card on ${writtenMoment(first)}, London time.`;
  return isOne(paid)
    ? `Order ${paid[0].order.orderNumber}, reference ${paid[0].order.reference}. Paid ${when}`
    : `${paid.length} orders, paid for together ${when}`;
}

const counted = (others: number): string => (others === 1 ? "1 other" : `${others} others`);

const hiddenWords = (hidden: number): string =>
  `The same payment was for ${hidden === 1 ? "another order" : `${hidden} other orders`}, not shown here. To have one receipt for all of them, open each from our emails in the same browser.`;

const isOne = (paid: readonly Paid[]): paid is readonly [Paid] => paid.length === 1;

const pluralIn = (paid: readonly Paid[]): string => (isOne(paid) ? "" : "s");

const sumOf = (paid: readonly Paid[], penceOf: (one: Paid) => number): number =>
  paid.reduce((sum, one) => sum + penceOf(one), 0);

const sellerFacts = (company: Company): PrintedFact[] =>
  [
    { name: "Name", value: company.companyName || company.tradingName },
    { name: "Trading as", value: company.companyName === "" ? "" : company.tradingName },
    { name: "Company number", value: company.companyNumber },
    { name: "VAT registration number", value: company.vatNumber },
    { name: "Registered office", value: company.registeredOffice },
    { name: "Address", value: company.postalAddress },
    { name: "Email", value: company.supportEmail },
  ].filter(({ value }) => value !== "");

function buyerSection(contact: ContactRecord | undefined, certificate: string): PrintedSection {
  const heading = "Sold to";
  if (contact === undefined)
    return { heading, paragraphs: ["We have deleted the customer’s name and address."] };
  const facts = [
    { name: "Name", value: contact.contactFullName },
    { name: "Company", value: contact.companyName },
    { name: "Address", value: addressLines(contact.contactAddress) },
    { name: "Your reference", value: contact.customerReference ?? "" },
    { name: `${certificate} posted to`, value: contact.recipient?.fullName ?? "" },
  ];
  return { heading, facts: facts.filter(({ value }) => value !== "") };
}

type Fees = Variant["feePerCopy"];

function paidSections(paid: readonly Paid[]): PrintedSection[] {
  const heading = "What was paid";
  const total = {
    name: "Total paid",
    value: formatPounds(sumOf(paid, ({ payment }) => payment.amountPence)),
  };
  if (isOne(paid)) {
    const ordered = { name: "Ordered", value: certificateOf(paid[0]) };
    return [{ heading, facts: [ordered, ...feeFacts(paid), total] }];
  }
  return [
    { heading, facts: [...paid.map(orderLine), total] },
    { heading: "What the total is made of", facts: feeFacts(paid) },
  ];
}

function feeFacts(paid: readonly Paid[]): PrintedFact[] {
  const fee = (name: string, ofCopy: (fees: Fees) => number): PrintedFact => ({
    name: isOne(paid) ? eachCopy(name, paid[0].variant, ofCopy) : name,
    value: formatPounds(sumOf(paid, ({ variant }) => ofCopy(variant.feePerCopy) * variant.copies)),
  });
  const s = pluralIn(paid);
  const searched = paid.some(({ variant }) => variant.feePerCopy.groSearchFeePence > 0);
  return [
    fee(`Fee${s} of the General Register Office`, ({ groFeePence }) => groFeePence),
    ...(searched ? [fee(`Its search fee${s}`, ({ groSearchFeePence }) => groSearchFeePence)] : []),
    fee(`Our fee${s}`, ({ ourFeePence }) => ourFeePence),
  ];
}

const eachCopy = (name: string, { copies, feePerCopy }: Variant, ofCopy: (fees: Fees) => number): string =>
  copies === 1 ? name : `${name}, ${copies} × ${formatPounds(ofCopy(feePerCopy))}`;

const orderLine = (paid: Paid): PrintedFact => ({
  name: `Order ${paid.order.orderNumber}\nReference ${paid.order.reference}`,
  value: `${certificateOf(paid)}\n${formatPounds(paid.payment.amountPence)}`,
});

function certificateOf({ variant: { copies, certificateType, serviceLevel } }: Paid): string {
  const service = serviceLevel === "priority" ? "Priority" : "Standard";
  return `${copies} × ${certificateType} certificate, full certified copy, ${service}, postage included`;
}

/** The GRO's fees are the customer's own, which we pass on; what we sell is our service. */
function vatSection(paid: readonly Paid[], { vatNumber }: Company): PrintedSection {
  const heading = "VAT";
  if (vatNumber === "") return { heading, paragraphs: ["No VAT was charged."] };
  const ours = sumOf(paid, ({ variant }) => variant.feePerCopy.ourFeePence * variant.copies);
  const vat = vatWithin(ours);
  return {
    heading,
    paragraphs: [
      "The fees of the General Register Office are statutory. We pay them for you, outside the scope of VAT.",
    ],
    facts: [
      { name: `Our fee${pluralIn(paid)} without VAT`, value: formatPounds(ours - vat) },
      { name: `VAT at ${vatPercent}%`, value: formatPounds(vat) },
    ],
  };
}

function refundSections(paid: readonly Paid[]): PrintedSection[] {
  const facts = paid.flatMap((one) => {
    const order = isOne(paid) ? "" : `Order ${one.order.orderNumber}\n`;
    return refundFacts(one).map(({ name, value }) => ({ name: `${order}${name}`, value }));
  });
  if (facts.length === 0) return [];
  const total = sumOf(paid, ({ order, payment }) => wentBackPence(order, payment.intentId));
  return [{ heading: "Refunds", facts: [...facts, { name: "Total refunded", value: formatPounds(total) }] }];
}

/** Of this payment alone: one that was not due is on no receipt, and goes back in full. */
function refundFacts({ order, payment: { intentId } }: Paid): PrintedFact[] {
  const refunds = order.refunds
    .filter((refund) => refund.status === "issued" && refund.intentId === intentId)
    .map(({ way, at, amountPence }) => ({
      name: `${way === "card" ? "To the card" : "By bank transfer"}, ${writtenMoment(at)}`,
      value: formatPounds(amountPence),
    }));
  const chargedBack = chargedBackPence(order, intentId);
  return chargedBack > 0
    ? [...refunds, { name: "Taken back by the bank after a dispute", value: formatPounds(chargedBack) }]
    : refunds;
}
