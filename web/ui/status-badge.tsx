import { type BadgeColour, badgeOf } from "../../domain/order/status.ts";

/** The style of each badge colour, on the site and in the back office. */
export const badgeStyles: Readonly<Record<BadgeColour, string>> = {
  yellow: "bg-pending-ground text-pending",
  blue: "bg-processing-ground text-processing",
  green: "bg-fulfilled-ground text-fulfilled",
  red: "bg-cancelled-ground text-cancelled",
  grey: "bg-failed-ground text-failed",
};

/** A status in its colour, or in another one. `words` says it to the customer. */
export function StatusBadge({
  status,
  words,
  colour = badgeOf(status),
}: {
  status: string;
  words: string;
  colour?: BadgeColour;
}) {
  return (
    <span className={`inline-block rounded-4 px-2.5 py-1 text-14 font-[600] ${badgeStyles[colour]}`}>
      {words}
    </span>
  );
}
