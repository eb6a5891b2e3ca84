import { expect, test } from "vitest";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { trackedOrder } from "../../../testing/pages/tracked-order.ts";
import { newsSince } from "./tracked-order-view.tsx";

const entry = (text: string, status: TrackedOrder["status"] = "Processing") => ({
  status,
  text,
  timestamp: "2026-11-20T10:00:00Z",
});
const received = entry("We received your order", "Pending");
const paid = entry("We received your payment");
const sent = entry("Your application was sent to the General Register Office");
const told = (statusHistory: TrackedOrder["statusHistory"]): TrackedOrder => ({
  ...trackedOrder,
  statusHistory,
});

test("what is new is read out in the order in which it happened", () => {
  expect(newsSince(told([received]), told([sent, paid, received]))).toBe(
    "We received your payment. Your application was sent to the General Register Office.",
  );
});

test("nothing new is read out as nothing", () => {
  expect(newsSince(told([paid, received]), told([paid, received]))).toBe("");
});

const order = (status: TrackedOrder["status"], cancellationRequested: boolean): TrackedOrder => ({
  ...trackedOrder,
  status,
  cancellationRequested,
});

test("a request to cancel is read out, and that it came too late; a cancellation stands in the history", () => {
  const [under, asked] = [order("Processing", false), order("Processing", true)];
  expect(newsSince(under, asked)).toMatch(/asked to cancel/);
  expect(newsSince(asked, under)).toMatch(/too late/);
  expect(newsSince(asked, asked)).toBe("");
  expect(newsSince(asked, order("Cancelled", false))).toBe("");
});
