import { customerWording } from "../../../domain/order/status.ts";
import type { TrackedOrder } from "../../api/look-up-order.ts";

type History = TrackedOrder["statusHistory"];

/** What a history (newest first) gained since it was `known`: a sentence for each entry, in the order of what happened. */
export function newsOf(known: History, now: History): string {
  return now
    .slice(0, Math.max(0, now.length - known.length))
    .toReversed()
    .map(({ status, text }) => `${text ?? customerWording(status)}.`)
    .join(" ");
}
