import { expect, it } from "vitest";
import type { LinkedOrder } from "../../../../contract/tickets/ticket.ts";
import { fillCannedAnswer } from "../../../../domain/settings/canned-answers.ts";
import { leftOpen, valuesOf } from "./ticket-texts.ts";

const order: LinkedOrder = {
  orderNumber: "7K3M-Q9TX-2HVD4",
  status: "Processing",
  phase: "Submitted",
  items: [],
  totalPence: 4500,
  createdAt: "2026-11-21T09:30:00.000Z",
  despatchBy: "2026-12-10",
};
const contact = { name: "Siân Rhŷs-Żak", email: "sian@example.org" };
const text = "{{customerName}}, {{orderNumber}} {{status}} {{expectedDespatch}} {{companyName}}";

it("fills in a canned answer with customer and order", () => {
  const values = valuesOf({ contact, order, statedOrderNumber: null }, "Kith & Copy");
  expect(fillCannedAnswer(text, values)).toEqual({
    text: "Siân Rhŷs-Żak, 7K3M-Q9TX-2HVD4 with the General Register Office Thursday 10 December Kith & Copy",
    missing: [],
  });
});

it("leaves unknown values open, to be filled in before sending", () => {
  const values = valuesOf({ contact, order: null, statedOrderNumber: null }, "Kith & Copy");
  const filled = fillCannedAnswer(text, values).text;
  expect(filled).toBe("Siân Rhŷs-Żak, {{orderNumber}} {{status}} {{expectedDespatch}} Kith & Copy");
  expect(leftOpen(filled)).toHaveLength(3);
  expect(leftOpen("{{mistyped}} and { single } braces are somebody's own words")).toEqual([]);
});

it("uses the number that the customer gave if no order is linked", () => {
  const values = valuesOf(
    { contact: null, order: null, statedOrderNumber: order.orderNumber },
    "Kith & Copy",
  );
  expect(values).toEqual({ companyName: "Kith & Copy", orderNumber: order.orderNumber });
});
