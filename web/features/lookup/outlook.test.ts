import { expect, test } from "vitest";
import type { TrackedOrder } from "../../api/look-up-order.ts";
import { outlookOf } from "./outlook.tsx";

const order: TrackedOrder = {
  orderNumber: "7K3M-Q9TX-2HVD4",
  status: "Processing",
  createdAt: "2026-11-20T10:00:00Z",
  total: 45,
  items: [],
  statusHistory: [],
  promise: { despatchBy: "2026-12-11", receivedOn: "2026-11-20" },
};

test.each<[string, Partial<TrackedOrder>, RegExp]>([
  ["once it is asked to be submitted", {}, /^Expected despatch by Friday 11 December/],
  ["before it is paid", { status: "Pending", promise: null }, /^Waiting for payment/],
  ["before the submission was asked for", { promise: null }, /^We have received the payment/],
  ["after a cancellation was asked for", { cancellationRequested: true }, /^We have been asked to cancel/],
  ["after it was cancelled", { status: "Cancelled" }, /^This order was cancelled/],
  ["after it failed", { status: "Failed" }, /^This order could not be completed/],
  ["once it is fulfilled", { status: "Fulfilled" }, /^Your certificate is on its way/],
])("says of an order %s what applies, and no day that does not", (_, part, heading) => {
  const said = outlookOf({ ...order, ...part });
  expect(said.heading).toMatch(heading);
  const promised = `${said.heading} ${said.words ?? ""}`.includes("December");
  expect(promised).toBe(heading.source.includes("December"));
});

test("says by which day it is likely to arrive, as the form and the mails do", () => {
  expect(outlookOf(order).words).toMatch(/^Likely to arrive by Wednesday 16 December\. Counted from/);
});

test("says what will follow where a cancellation waits for an open attempt", () => {
  const { words } = outlookOf({ ...order, cancellationRequested: true });
  expect(words).toMatch(/refund everything paid.*too late to cancel.*We’ll send nothing more/);
});
