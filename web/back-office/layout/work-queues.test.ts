import { expect, it } from "vitest";
import { waitingIn } from "./work-queues.ts";

const tickets = { open: 4, mine: 1, unassigned: 2, waiting: 9, due: 0, late: 0, unreached: 0 };
const queue = (name: Parameters<typeof waitingIn>[0]["queues"][number]["queue"], count: number) => ({
  ...{ queue: name, count, more: false },
});

it("counts pending work once, leaving out what runs automatically", () => {
  const queues = [
    ...[queue("submissionFailed", 2), queue("refundFailed", 1)],
    ...[queue("notSubmitted", 40), queue("refundPending", 5), queue("purgeDue", 7)],
    ...[queue("overdue", 3), queue("longOverdue", 2)],
  ];
  expect(waitingIn({ queues, tickets })).toEqual({
    orders: { count: 6, more: false, words: "pending tasks" },
    tickets: { count: 4, more: false, words: "to answer" },
  });
});

it("counts paid but unsubmitted orders if staff submit by hand", () => {
  const queues = [queue("notSubmitted", 40), queue("submissionFailed", 2), queue("refundPending", 5)];
  expect(waitingIn({ queues, tickets }, true).orders.count).toBe(42);
});

it("counts a single task, and marks a capped count", () => {
  const queues = [{ ...queue("disputeOpen", 1), more: true }, queue("overdue", 0)];
  expect(waitingIn({ queues, tickets }).orders).toEqual({ count: 1, more: true, words: "pending task" });
});
