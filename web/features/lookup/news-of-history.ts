import type { TrackedOrder } from "../../../contract/orders/tracking.ts";

type History = TrackedOrder["statusHistory"];

/** New entries of a history (newest first) since `known`: a sentence for each, oldest first. */
export function newsOf(known: History, now: History): string {
  return now
    .slice(0, Math.max(0, now.length - known.length))
    .toReversed()
    .map(({ text }) => `${text}.`)
    .join(" ");
}

/** The outcome of a cancellation request since `known`, unless the history tells it. */
export function newsOfCancellation(known: TrackedOrder, now: TrackedOrder): string {
  const [before, after] = [known.cancellationRequested, now.cancellationRequested];
  if (before === after) return "";
  if (after) return "We have been asked to cancel this order and are checking whether it is too late.";
  return now.status === "Processing" ? "It was too late to cancel this order." : "";
}
