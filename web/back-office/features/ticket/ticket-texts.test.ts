import { expect, it } from "vitest";
import type { LinkedOrder } from "../../../../contract/tickets/ticket.ts";
import { fillCannedAnswer } from "../../../../domain/settings/canned-answers.ts";
import { drafts, leftOpen, valuesOf } from "./ticket-texts.ts";

const order: LinkedOrder = {
  id: "0b6a2f0e-3c1d-8f5e-9a7b-2d4c6e8f0a1b",
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

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

it("keeps reply and note apart for each ticket, and nothing once they are sent", () => {
  const store = memory();
  const { read, keep } = drafts(store);
  keep("T-1", "reply", "Dear");
  keep("T-1", "note", "Rang");
  keep("T-2", "reply", "Hello");
  expect([read("T-1", "reply"), read("T-1", "note"), read("T-2", "reply"), read("T-2", "note")]).toEqual([
    "Dear",
    "Rang",
    "Hello",
    "",
  ]);
  keep("T-1", "reply", "");
  expect([...store.kept.values()]).toEqual(["Rang", "Hello"]);
});
