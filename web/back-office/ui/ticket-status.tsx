import type { TicketStatus as Status } from "../../../domain/ticket/vocabulary.ts";
import { Status as Badge, type Tone } from "./status.tsx";

const said: Readonly<Record<Status, { words: string; tone: Tone }>> = {
  Open: { words: "Needs an answer", tone: "processing" },
  Waiting: { words: "Waiting for customer", tone: "pending" },
  Closed: { words: "Closed", tone: "failed" },
};

/** Whose turn it is in a ticket. */
export function TicketStatus({ status }: { status: Status }) {
  const { words, tone } = said[status];
  return <Badge status={words} tone={tone} />;
}
