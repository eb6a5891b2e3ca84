import { badgeOf, type OrderStatus } from "../../../domain/order/status.ts";
import { badgeStyles } from "../../ui/status-badge.tsx";

/** The colour of a status, lent to another thing. */
export type Tone = Uncapitalize<OrderStatus>;

const statusOf = (tone: Tone): string => tone.charAt(0).toUpperCase() + tone.slice(1);

/** A status in its colour, small enough for a table; on a phone a long one takes two lines. `tone` lends another thing the colour of a status. */
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
