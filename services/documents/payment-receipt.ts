import { addressLines, type ContactRecord } from "../../domain/forms/sealed-records.ts";
import { chargedBackPence, refundedPence } from "../../domain/order/payment/money.ts";
import { forbidden } from "../../domain/order/rules.ts";
import type { Order, Payment, Variant } from "../../domain/order/state.ts";
import { formatPounds, vatPercent, vatWithin } from "../../domain/pricing/money.ts";
import type { Company } from "../../domain/settings/company.ts";
import { writtenMoment } from "./dates.ts";
import type { PrintedDocument, PrintedFact, PrintedSection } from "./print-pdf.ts";

/**
 * A receipt for a paid order, with its refunds.
 * @param contact undefined once it was destroyed
 * @throws Refused (not-paid)
 */
export function paymentReceipt(
  order: Order,
  contact: ContactRecord | undefined,
  made: { readonly at: Date; readonly company: Company },
): PrintedDocument {
  const { variant } = order;
  const payment = order.payments.find(({ unexpected }) => !unexpected);
  if (variant === null || payment === undefined) throw forbidden(order, "not-paid");
  const { company, at } = made;
  return {
    title: "Receipt",
    lead: [
      `Order ${order.orderNumber}, reference ${order.reference}. Paid by card on ${writtenMoment(payment.at)}, London time.`,
      ...(order.checkoutId === undefined
        ? []
        : ["This order was paid for together with others. Each has its own receipt."]),
    ],
    sections: [
      { heading: "Sold by", facts: sellerFacts(company) },
      buyerSection(contact),
      { heading: "What was paid", facts: paidFacts(variant, payment) },
      vatSection(variant, company),
      ...refundSections(order, payment),
    ],
    footer: `${company.tradingName} · receipt for order ${order.orderNumber}`,
    author: company.tradingName,
    madeAt: at,
  };
}

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

function buyerSection(contact: ContactRecord | undefined): PrintedSection {
  const heading = "Sold to";
  if (contact === undefined)
    return { heading, paragraphs: ["We have deleted the customer’s name and address."] };
  const facts = [
    { name: "Name", value: contact.contactFullName },
    { name: "Company", value: contact.companyName },
    { name: "Address", value: addressLines(contact.contactAddress) },
    { name: "Your reference", value: contact.customerReference ?? "" },
    { name: "Certificate posted to", value: contact.recipient?.fullName ?? "" },
  ];
  return { heading, facts: facts.filter(({ value }) => value !== "") };
}

function paidFacts(variant: Variant, { amountPence }: Payment): PrintedFact[] {
  const { copies, certificateType, serviceLevel, feePerCopy } = variant;
  const line = (name: string, pence: number): PrintedFact => ({
    name: copies === 1 ? name : `${name}, ${copies} × ${formatPounds(pence)}`,
    value: formatPounds(pence * copies),
  });
  const service = serviceLevel === "priority" ? "Priority" : "Standard";
  return [
    {
      name: "Ordered",
      value: `${copies} × ${certificateType} certificate, full certified copy, ${service}, postage included`,
    },
    line("Fee of the General Register Office", feePerCopy.groFeePence),
    ...(feePerCopy.groSearchFeePence > 0 ? [line("Its search fee", feePerCopy.groSearchFeePence)] : []),
    line("Our fee", feePerCopy.ourFeePence),
    { name: "Total paid", value: formatPounds(amountPence) },
  ];
}

/** The GRO's fees are the customer's own, which we pass on; what we sell is our service. */
function vatSection({ copies, feePerCopy }: Variant, { vatNumber }: Company): PrintedSection {
  const heading = "VAT";
  if (vatNumber === "") return { heading, paragraphs: ["No VAT was charged."] };
  const ours = feePerCopy.ourFeePence * copies;
  const vat = vatWithin(ours);
  return {
    heading,
    paragraphs: [
      "The fees of the General Register Office are statutory. We pay them for you, outside the scope of VAT.",
    ],
    facts: [
      { name: "Our fee without VAT", value: formatPounds(ours - vat) },
      { name: `VAT at ${vatPercent}%`, value: formatPounds(vat) },
    ],
  };
}

/** Of this payment alone: one that was not due is on no receipt, and goes back in full. */
function refundSections(order: Order, { intentId }: Payment): PrintedSection[] {
  const refunds = order.refunds
    .filter((refund) => refund.status === "issued" && refund.intentId === intentId)
    .map(({ way, at, amountPence }) => ({
      name: `${way === "card" ? "To the card" : "By bank transfer"}, ${writtenMoment(at)}`,
      value: formatPounds(amountPence),
    }));
  const chargedBack = chargedBackPence(order, intentId);
  const facts = [
    ...refunds,
    ...(chargedBack > 0
      ? [{ name: "Taken back by the bank after a dispute", value: formatPounds(chargedBack) }]
      : []),
  ];
  if (facts.length === 0) return [];
  const total = { name: "Total refunded", value: formatPounds(refundedPence(order, intentId) + chargedBack) };
  return [{ heading: "Refunds", facts: [...facts, total] }];
}
