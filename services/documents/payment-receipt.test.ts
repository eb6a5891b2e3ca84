import { describe, expect, test } from "vitest";
import type { ContactRecord } from "../../domain/forms/sealed-records.ts";
import { historyTo, orderAfter, orderId, type TimedEvent, uuid } from "../../testing/domain/order-fixture.ts";
import { givenSettings } from "../../testing/services/settings-fixture.ts";
import { paymentReceipt } from "./payment-receipt.ts";

const { company } = givenSettings;
const contact: ContactRecord = {
  companyName: "Rhys & Rees LLP",
  email: "sian@rhys.example",
  contactFullName: "Siân Rhys",
  contactAddress: {
    Address1: "1 High Street",
    Address2: "",
    Town: "Conwy",
    County: "",
    Country: "United Kingdom",
    PostCode: "LL32 8DE",
  },
  contactPhone: { Daytime: "01492 000000", Evening: "" },
};
const paid = historyTo.Paid;
/** What each section says, by its heading. */
function receiptOf(history: readonly TimedEvent[], { vatNumber = "", known = true, more = {} } = {}) {
  const made = { at: new Date("2026-11-24T10:00:00Z"), company: { ...company, vatNumber } };
  const { sections, ...rest } = paymentReceipt(
    orderAfter(history),
    known ? { ...contact, ...more } : undefined,
    made,
  );
  const words = sections.map(({ heading, paragraphs = [], facts = [] }) => [
    heading,
    [...paragraphs, ...facts.map(({ name, value }) => `${name}: ${value}`)],
  ]);
  return { ...rest, sections: Object.fromEntries(words) };
}

describe("A receipt", () => {
  test("names the seller, the buyer, the time and each part of the price", () => {
    const { title, lead, sections } = receiptOf(paid);
    expect(title).toBe("Receipt");
    expect(lead).toEqual([
      "Order 0000-0000-00000, reference REF-2026-7. Paid by card on Monday 23 November 2026 at 09:30, London time.",
    ]);
    expect(sections).toEqual({
      "Sold by": [
        "Name: Test & Copy",
        "Address: 1 Test Street, Nottingham, NG1, United Kingdom",
        "Email: help@test.example",
      ],
      "Sold to": [
        "Name: Siân Rhys",
        "Company: Rhys & Rees LLP",
        "Address: 1 High Street\nConwy\nLL32 8DE\nUnited Kingdom",
      ],
      "What was paid": [
        "Ordered: 2 × Birth certificate, full certified copy, Standard, postage included",
        "Fee of the General Register Office, 2 × £12.50: £25.00",
        "Its search fee, 2 × £3.50: £7.00",
        "Our fee, 2 × £29.00: £58.00",
        "Total paid: £90.00",
      ],
      VAT: ["No VAT was charged."],
    });
  });

  test("of one of several orders says that the others have their own", () => {
    const order = { ...orderAfter(paid), checkoutId: uuid(800) };
    const { lead } = paymentReceipt(order, contact, { at: new Date(order.createdAt), company });
    expect(lead).toContain("This order was paid for together with others. Each has its own receipt.");
  });

  test("names the customer's own reference, and another person to whom the certificate is posted", () => {
    const recipient = { fullName: "Mair Evans", address: contact.contactAddress };
    expect(
      receiptOf(paid, { more: { recipient, customerReference: "SMITH/42" } }).sections["Sold to"],
    ).toEqual([
      "Name: Siân Rhys",
      "Company: Rhys & Rees LLP",
      "Address: 1 High Street\nConwy\nLL32 8DE\nUnited Kingdom",
      "Your reference: SMITH/42",
      "Certificate posted to: Mair Evans",
    ]);
  });

  test("has the VAT within our fee, and none on the GRO's", () => {
    const { sections } = receiptOf(paid, { vatNumber: "GB123456789" });
    expect(sections["Sold by"]).toContain("VAT registration number: GB123456789");
    expect(sections.VAT).toEqual([
      "The fees of the General Register Office are statutory. We pay them for you, outside the scope of VAT.",
      "Our fee without VAT: £48.33",
      "VAT at 20%: £9.67",
    ]);
  });

  test("lists refunds that were issued, and none that was only requested", () => {
    const refund = { refundId: `order-${orderId}-refund-1`, intentId: "pi_1", amountPence: 9000 };
    const asked: TimedEvent[] = [
      ...historyTo.Cancelled,
      [{ type: "RefundRequested", data: { ...refund, reason: "cancelled", proposal: null } }, 80],
    ];
    expect(receiptOf(asked).sections).not.toHaveProperty("Refunds");
    const issued = receiptOf([
      ...asked,
      [{ type: "RefundIssued", data: { ...refund, providerRefundId: "re_1" } }, 90],
    ]);
    expect(issued.sections.Refunds).toEqual([
      "To the card, Monday 23 November 2026 at 09:31: £90.00",
      "Total refunded: £90.00",
    ]);
  });

  test("leaves out a second payment, which was not due, and its refund", () => {
    const second = { intentId: "pi_2", amountPence: 9000 };
    const refund = { ...second, refundId: `order-${orderId}-refund-1` };
    const { sections } = receiptOf([
      ...paid,
      [{ type: "PaymentReceivedUnexpectedly", data: second }, 60],
      [{ type: "RefundRequested", data: { ...refund, reason: "unexpectedPayment", proposal: null } }, 80],
      [{ type: "RefundIssued", data: { ...refund, providerRefundId: "re_1" } }, 90],
    ]);
    expect(sections["What was paid"]).toContain("Total paid: £90.00");
    expect(sections).not.toHaveProperty("Refunds");
  });

  test("outlives the customer's name and address", () => {
    expect(receiptOf(paid, { known: false }).sections["Sold to"]).toEqual([
      "We have deleted the customer’s name and address.",
    ]);
  });

  test("is refused before the payment", () => {
    expect(() => receiptOf(historyTo.AwaitingPayment)).toThrow(expect.objectContaining({ rule: "not-paid" }));
  });
});
