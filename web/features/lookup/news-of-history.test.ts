import { expect, test } from "vitest";
import type { TrackedOrder } from "../../api/look-up-order.ts";
import { newsOf, newsOfCancellation } from "./news-of-history.ts";

const entry = (text: string, status = "Processing") => ({ status, text, timestamp: "2026-11-20T10:00:00Z" });
const received = entry("We received your order", "Pending");
const paid = entry("We received your payment");
const sent = entry("Your application was sent to the General Register Office");

test("what is new is told in the order in which it happened", () => {
  expect(newsOf([received], [sent, paid, received])).toBe(
    "We received your payment. Your application was sent to the General Register Office.",
  );
});

test("nothing new is told as nothing", () => {
  expect(newsOf([paid, received], [paid, received])).toBe("");
});

test("an entry without a text is told by its status, in the customer's words", () => {
  expect(newsOf([received], [{ status: "Processing", timestamp: "2026-11-20T10:00:00Z" }, received])).toBe(
    "With Home Office.",
  );
});

const order = (status: string, cancellationRequested: boolean): TrackedOrder => ({
  orderNumber: "7K3M-Q9TX-2HVD4",
  status,
  createdAt: "2026-11-20T10:00:00Z",
  total: 45,
  items: [],
  statusHistory: [],
  cancellationRequested,
});

test("a request to cancel is told, and that it came too late; a cancellation stands in the history", () => {
  const [under, asked] = [order("Processing", false), order("Processing", true)];
  expect(newsOfCancellation(under, asked)).toMatch(/asked to cancel/);
  expect(newsOfCancellation(asked, under)).toMatch(/too late/);
  expect(newsOfCancellation(asked, asked)).toBe("");
  expect(newsOfCancellation(asked, order("Cancelled", false))).toBe("");
});
