import { expect, test } from "vitest";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { trackedOrder } from "../../../testing/pages/tracked-order.ts";
import { outlookOf } from "./outlook.tsx";

test.each<[string, Partial<TrackedOrder>, RegExp]>([
  ["once it is asked to be submitted", {}, /^Expected despatch by Friday 11 December/],
  ["before it is paid", { status: "Pending", promise: null }, /^Waiting for payment/],
  ["before the submission was asked for", { promise: null }, /^We have received the payment/],
  ["after a cancellation was asked for", { cancellationRequested: true }, /^We have been asked to cancel/],
  ["after it was cancelled", { status: "Cancelled" }, /^This order was cancelled/],
  ["after it failed", { status: "Failed" }, /^This order could not be completed/],
  ["once it is fulfilled", { status: "Fulfilled" }, /^Your certificate is on its way/],
])("says of an order %s what applies, and no day that does not", (_, part, heading) => {
  const said = outlookOf({ ...trackedOrder, ...part });
  expect(said.heading).toMatch(heading);
  const promised = `${said.heading} ${said.words ?? ""}`.includes("December");
  expect(promised).toBe(heading.source.includes("December"));
});

test("says by which day it is likely to arrive, as the form and the mails do", () => {
  expect(outlookOf(trackedOrder).words).toMatch(/^Likely to arrive by Wednesday 16 December\. Counted from/);
});

test("says what will follow where a cancellation waits for an open attempt", () => {
  const { words } = outlookOf({ ...trackedOrder, cancellationRequested: true });
  expect(words).toMatch(/refund everything paid.*too late to cancel.*We’ll send nothing more/);
});
