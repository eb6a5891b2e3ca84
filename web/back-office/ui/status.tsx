import { type BadgeColour, badgeOf } from "../../../domain/order/status.ts";
import { badgeStyles } from "../../ui/status-badge.tsx";

const colours = {
  pending: "yellow",
  processing: "blue",
  fulfilled: "green",
  cancelled: "red",
  failed: "grey",
} as const satisfies Record<string, BadgeColour>;

export type Tone = keyof typeof colours;

/** A status in its colour, small enough for a table; on a phone a long one takes two lines. `tone` lends another thing the colour of a status. */
export function Status({ status, tone }: { status: string; tone?: Tone }) {
  const colour = tone === undefined ? badgeOf(status) : colours[tone];
  return (
    <span
      className={`inline-block rounded-4 px-1.5 py-px text-13 font-[500] sm:whitespace-nowrap ${badgeStyles[colour]}`}
    >
      {status}
    </span>
  );
}
