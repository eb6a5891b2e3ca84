import type { Customer, Outcome } from "../../../../contract/customers/customers.ts";
import { londonDay } from "../../../ui/dates.ts";

/** One class of data of one order or ticket, and what erasure makes of it. */
export interface Part {
  readonly number: string;
  readonly what: string;
  readonly outcome: Outcome;
  readonly askedAt: string | null;
}

/** Everything that is, or was, held of a customer. */
export const partsOf = ({ orders, tickets }: Customer): readonly Part[] => [
  ...orders.flatMap(({ orderNumber: number, erasure, erasureRequestedAt: askedAt }) => [
    { number, what: "application", outcome: erasure.application, askedAt },
    { number, what: "contact data", outcome: erasure.contact, askedAt },
  ]),
  ...tickets.map(({ ticketNumber: number, erasure, erasureRequestedAt: askedAt }) => ({
    number,
    what: "conversation",
    outcome: erasure,
    askedAt,
  })),
];

/** Part for part: erased at once, or kept, for what and on which ground. */
export function Outcomes({ parts }: { parts: readonly Part[] }) {
  return (
    <ul className="mt-3 flex flex-col gap-2 text-ink">
      {parts.map(({ number, what, outcome }) => (
        <li key={`${number} ${what}`} className="border-l-3 border-hairline pl-3">
          <span className="figures">{number}</span>, {what}: <Words outcome={outcome} />
        </li>
      ))}
    </ul>
  );
}

function Words({ outcome }: { outcome: Outcome }) {
  switch (outcome.outcome) {
    case "erased":
      return <strong>erased at once.</strong>;
    case "gone":
      return <>destroyed already.</>;
    case "set":
      return (
        <>
          <strong>erased on {londonDay(outcome.until)}</strong> anyway: {outcome.because}.
        </>
      );
    case "kept":
      return (
        <>
          <strong>kept for now:</strong> {outcome.because}. It goes by itself after that.{" "}
          <span className="text-muted">{outcome.ground}</span>
        </>
      );
  }
}
