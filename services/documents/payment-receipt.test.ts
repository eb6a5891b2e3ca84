import { describe, expect, test } from "vitest";
import type { ContactRecord } from "../../domain/forms/sealed-records.ts";
import type { Order } from "../../domain/order/state.ts";
import {
  historyTo,
  orderAfter,
  orderId,
  start,
  type TimedEvent,
  uuid,
} from "../../testing/domain/order-fixture.ts";
import { textIn } from "../../testing/services/pdf-text.ts";
import { givenSettings } from "../../testing/services/settings-fixture.ts";
import { paymentReceipt } from "./payment-receipt.ts";
import { type PrintedDocument, printPdf } from "./print-pdf.ts";

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
const at = new Date("2026-11-24T10:00:00Z");

/** What each section says, by its heading. */
function wordsOf({ sections, ...rest }: PrintedDocument) {
  const words = sections.map(({ heading, paragraphs = [], facts = [] }) => [
    heading,
    [...paragraphs, ...facts.map(({ name, value }) => `${name}: ${value}`)],
  ]);
  return { ...rest, sections: Object.fromEntries(words) };
}

function receiptOf(
  history: readonly TimedEvent[],
  { vatNumber = "", known = true, more = {}, hidden = 0 } = {},
) {
  const order = orderAfter(history);
  const asked = { order, contact: known ? { ...contact, ...more } : undefined, orders: [order], hidden };
  return wordsOf(paymentReceipt(asked, { at, company: { ...company, vatNumber } }));
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

  test("of an order alone says how many others the payment was for, and how to have one for all", () => {
    const how = "To have one receipt for all of them, open each from our emails in the same browser.";
    expect(receiptOf(paid, { hidden: 1 }).lead[1]).toBe(
      `The same payment was for another order, not shown here. ${how}`,
    );
    expect(receiptOf(paid, { hidden: 3 }).lead[1]).toBe(
      `The same payment was for 3 other orders, not shown here. ${how}`,
    );
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

  test("says what the fees are for the application as it was amended, of the same total", () => {
    const fees = {
      groReferenceKnown: true,
      feePerCopy: { groFeePence: 1250, groSearchFeePence: 0, ourFeePence: 3250 },
    };
    const data = { applicationRef: uuid(301), previousApplicationRef: uuid(103), fees };
    const amended: TimedEvent[] = [...paid, [{ type: "ApplicationAmended", data }, 40]];
    const { sections } = receiptOf(amended, { vatNumber: "GB123456789" });
    expect(sections["What was paid"]?.slice(1)).toEqual([
      "Fee of the General Register Office, 2 × £12.50: £25.00",
      "Our fee, 2 × £32.50: £65.00",
      "Total paid: £90.00",
    ]);
    // Our fee, as above.
    expect(sections.VAT?.slice(1)).toEqual(["Our fee without VAT: £54.17", "VAT at 20%: £10.83"]);
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

describe("A receipt for several orders", () => {
  /** The nth order of a payment of £90.00 each. */
  const nth = (n: number, history: readonly TimedEvent[] = paid): Order => ({
    ...orderAfter(history),
    ...{ orderId: uuid(800 + n), orderNumber: `0000-0000-0000${n}`, reference: `REF-2026-${n}` },
  });
  const refunded = (pence: number, seconds: number): TimedEvent[] => {
    const refund = { refundId: `order-${orderId}-refund-1`, intentId: "pi_1", amountPence: pence };
    return [
      ...paid,
      [{ type: "RefundRequested", data: { ...refund, reason: "staffDecision", proposal: null } }, 80],
      [{ type: "RefundIssued", data: { ...refund, providerRefundId: "re_1" } }, seconds],
    ];
  };
  const receiptFor = (
    [order, ...others]: readonly [Order, ...Order[]],
    { vatNumber = "", more = {}, hidden = 0 } = {},
  ) =>
    paymentReceipt(
      { order, contact: { ...contact, ...more }, orders: [order, ...others], hidden },
      { at, company: { ...company, vatNumber } },
    );

  test("names the payment once, each certificate with its price, and the sums", () => {
    const priority = nth(2);
    const { variant } = priority;
    if (variant === null) throw new Error("A certificate was chosen.");
    const other: Order = {
      ...priority,
      variant: { ...variant, certificateType: "Marriage", copies: 1, serviceLevel: "priority" },
      payments: priority.payments.map((one) => ({ ...one, amountPence: 4500, at: start })),
    };
    const { lead, footer, sections } = wordsOf(receiptFor([nth(1), other], { vatNumber: "GB123456789" }));
    expect(lead).toEqual([
      "2 orders, paid for together by card on Monday 23 November 2026 at 09:30, London time.",
    ]);
    expect(footer).toBe("Test & Copy · receipt for order 0000-0000-00001 and 1 other");
    expect(sections["What was paid"]).toEqual([
      "Order 0000-0000-00001\nReference REF-2026-1: 2 × Birth certificate, full certified copy, Standard, postage included\n£90.00",
      "Order 0000-0000-00002\nReference REF-2026-2: 1 × Marriage certificate, full certified copy, Priority, postage included\n£45.00",
      "Total paid: £135.00",
    ]);
    expect(sections["What the total is made of"]).toEqual([
      "Fees of the General Register Office: £37.50",
      "Its search fees: £10.50",
      "Our fees: £87.00",
    ]);
    expect(sections.VAT.slice(1)).toEqual(["Our fees without VAT: £72.50", "VAT at 20%: £14.50"]);
    expect(sections).not.toHaveProperty("Refunds");
  });

  test("lists each refund by its order, and what was refunded in all", () => {
    const orders = [nth(1, refunded(9000, 90)), nth(2), nth(3, refunded(2000, 150))] as const;
    expect(wordsOf(receiptFor(orders)).sections.Refunds).toEqual([
      "Order 0000-0000-00001\nTo the card, Monday 23 November 2026 at 09:31: £90.00",
      "Order 0000-0000-00003\nTo the card, Monday 23 November 2026 at 09:32: £20.00",
      "Total refunded: £110.00",
    ]);
  });

  test("names the recipient of the certificate whose customer it names, and of no other", () => {
    const recipient = { fullName: "Mair Evans", address: contact.contactAddress };
    const { sections } = wordsOf(receiptFor([nth(1), nth(2)], { more: { recipient } }));
    expect(sections["Sold to"]).toContain("Certificate of order 0000-0000-00001 posted to: Mair Evans");
  });

  test("says how many more the payment was for", () => {
    const { lead } = receiptFor([nth(1), nth(2)], { hidden: 1 });
    expect(lead[1]).toMatch(/^The same payment was for another order, not shown here\./);
  });

  test("of ten, each refunded, runs on to further pages, each line a row for screen readers", async () => {
    const nine = Array.from({ length: 9 }, (_, n) => nth(n + 1, refunded(9000, 90)));
    const receipt = receiptFor([nth(0, refunded(9000, 90)), ...nine]);
    const pdf = await printPdf(receipt);
    const counted = (mark: RegExp) => pdf.toString("latin1").match(mark)?.length;
    expect(counted(/\/Type \/Page\b/g)).toBeGreaterThan(1);
    const rows = receipt.sections.flatMap(({ facts = [] }) => facts).length;
    expect([counted(/\/S \/TH\b/g), counted(/\/S \/TD\b/g)]).toEqual([rows, rows]);
    const text = textIn(pdf);
    for (let n = 0; n < 10; n += 1) {
      expect(text).toContain(`Order 0000-0000-0000${n} Reference REF-2026-${n}`);
      expect(text).toContain(`Order 0000-0000-0000${n} To the card, Monday 23 November 2026 at 09:31`);
    }
  });
});
