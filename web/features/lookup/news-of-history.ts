import type { TrackedOrder } from "../../../contract/orders/tracking.ts";

type History = TrackedOrder["statusHistory"];

/** What a history (newest first) gained since it was `known`: a sentence for each entry, in the order of what happened. */
export function newsOf(known: History, now: History): string {
  return now
    .slice(0, Math.max(0, now.length - known.length))
    .toReversed()
    .map(({ text }) => `${text}.`)
    .join(" ");
}

/** What became of a request to cancel since the order was `known`; what the history tells of it is left to the history. */
export function newsOfCancellation(known: TrackedOrder, now: TrackedOrder): string {
  const [before, after] = [known.cancellationRequested, now.cancellationRequested];
  if (before === after) return "";
  if (after) return "We have been asked to cancel this order and are checking whether it is too late.";
  return now.status === "Processing" ? "It was too late to cancel this order." : "";
}
