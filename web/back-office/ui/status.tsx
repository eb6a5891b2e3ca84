import { badgeOf, type OrderStatus } from "../../../domain/order/status.ts";
import { badgeStyles } from "../../ui/status-badge.tsx";

/** The colour of an order status. */
export type Tone = Uncapitalize<OrderStatus>;

const statusOf = (tone: Tone): string => tone.charAt(0).toUpperCase() + tone.slice(1);

/** A small status badge; on a phone a long one wraps. `tone` gives other texts the colour of a status. */
export function Status({ status, tone }: { status: string; tone?: Tone }) {
  const colour = badgeOf(tone === undefined ? status : statusOf(tone));
  return (
    <span
      className={`inline-block rounded-4 px-1.5 py-px text-13 font-[500] sm:whitespace-nowrap ${badgeStyles[colour]}`}
    >
      {status}
    </span>
  );
}
