import { describe, expect, test } from "vitest";
import type { OrderLookup } from "../../../projections/orders/order-lookup.ts";
import { maskEmail, maskName, presentLookup } from "./present-orders.ts";

const fulfilled: OrderLookup = {
  orderId: "0a8f1c52-6d1c-5b4e-9a55-2f6f3f1f0001",
  orderNumber: "0000-0000-00000",
  reference: "REF-2026-7",
  status: "Fulfilled",
  phase: "Fulfilled",
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-24T10:00:00.000Z",
  totalPence: 4500,
  items: ["Birth Certificate × 1"],
  statusHistory: [],
  promise: null,
  receipt: null,
  certificateType: "Birth",
  cancellable: false,
  amendable: false,
  question: false,
  cancellationRequested: false,
  unreachedBy: null,
  leftGroAt: "2026-11-24T10:00:00.000Z",
  arrivedAt: null,
  arrivalReportable: true,
  questionRef: null,
  contactRef: "00000000-0000-4000-8000-000000000101",
  checkoutId: null,
};
const holder = { holder: true, mayCommand: true };
const shown = (changes: Partial<OrderLookup> = {}, now = "2026-12-21T23:59:59.000Z", standing = holder) =>
  presentLookup({ ...fulfilled, ...changes }, standing, now);

describe("The despatch of an order", () => {
  test("comes with the days that follow from it, in working days", () => {
    expect(shown().despatch).toEqual({
      despatchedOn: "2026-11-24",
      arrivalBy: "2026-11-27",
      missingFrom: "2026-12-08",
      closesOn: "2026-12-22",
      arrivedOn: null,
    });
  });

  test("comes with the day of the reported arrival, and then with none for asking the GRO", () => {
    const arrived = { arrivedAt: "2026-11-26T23:30:00.000Z", arrivalReportable: false };
    expect(shown(arrived).despatch).toMatchObject({ arrivedOn: "2026-11-26", missingFrom: null });
  });

  test.each([
    ["before it", { phase: "Submitted", leftGroAt: null }],
    ["of an order that had ended otherwise", { phase: "Cancelled" }],
  ] as const)("is not shown %s", (_, changes) => {
    expect(shown(changes).despatch).toBeNull();
  });
});

describe("The text of a question", () => {
  const asked = { ...fulfilled, question: true };
  const textFor = (standing: typeof holder, found: OrderLookup = asked) =>
    presentLookup(found, standing, "2026-12-01T00:00:00.000Z", { question: "Which Bangor?" }).questionText;

  test("is shown to the holder alone, while the question can be answered", () => {
    expect(textFor(holder)).toBe("Which Bangor?");
    expect(textFor({ holder: false, mayCommand: true })).toBeNull();
    expect(textFor(holder, fulfilled)).toBeNull();
  });
});

describe("The arrival", () => {
  test("can be reported by the holder until the order is closed", () => {
    expect(shown().canReportArrival).toBe(true);
    expect(shown({}, "2026-12-22T00:00:00.000Z").canReportArrival).toBe(false);
  });

  test.each([
    ["by others", {}, { holder: false, mayCommand: false }],
    ["twice, or after a refund", { arrivalReportable: false }, holder],
    ["once the contact data is gone: nothing is left to close", { contactRef: null }, holder],
  ])("cannot be reported %s", (_, changes, standing) => {
    expect(shown(changes, undefined, standing).canReportArrival).toBe(false);
  });
});

describe("Masking", () => {
  test.each([
    ["Siân ap Rhys", "S••• a••• R•••"],
    ["  Zoë  ", "Z•••"],
    ["𝒜lpha", "𝒜•••"],
    ["", ""],
  ])("leaves of the name %j %j", (name, masked) => {
    expect(maskName(name)).toBe(masked);
  });

  test.each([
    ["jo@mail.example", "j•••@m•••.example"],
    ["jo@a.b.co.uk", "j•••@a•••.uk"],
    ["jo@localhost", "j•••@l•••"],
    ["not an address", "•••"],
    ["@mail.example", "•••"],
  ])("leaves of the address %j %j", (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});
