import type { Held } from "../../../../domain/order/personal-data/held-data.ts";
import { heldSentence } from "../../../../domain/order/personal-data/held-words.ts";
import type { PurgeRule } from "../../../../domain/order/vocabulary.ts";
import type { TicketPurgeRule } from "../../../../domain/ticket/vocabulary.ts";
import { londonDay } from "../../../ui/dates.ts";

interface HeldLineProps {
  /** "Application", "Contact". */
  readonly label: string;
  readonly held: Held<PurgeRule | TicketPurgeRule>;
}

/** Whether data of a class is held, until when, and which rule destroys it. */
export function HeldLine({ label, held }: HeldLineProps) {
  const over = held.state === "destroyed" || held.state === "none";
  return (
    <p className={over ? "text-muted" : undefined}>
      <span className="font-[500]">{label}.</span> {heldSentence(held, londonDay)}
    </p>
  );
}
