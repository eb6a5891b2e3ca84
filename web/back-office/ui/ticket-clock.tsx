import { AlarmClock, Check, Clock } from "lucide-react";
import type { StatutoryClock } from "../../../domain/ticket/clocks.ts";
import type { TicketStatus as Status } from "../../../domain/ticket/vocabulary.ts";
import { longDay } from "../../ui/dates.ts";
import { Status as Badge, type Tone } from "./status.tsx";
import { type ClockWords, clockReason, clockWords } from "./ticket-words.ts";

const looks: Readonly<Record<ClockWords["tone"], { className: string; Icon: typeof Clock }>> = {
  met: { className: "text-muted", Icon: Check },
  calm: { className: "text-ink", Icon: Clock },
  soon: { className: "bg-pending-ground px-1.5 py-px font-[500] text-pending", Icon: AlarmClock },
  late: { className: "bg-cancelled-ground px-1.5 py-px font-[500] text-cancelled", Icon: AlarmClock },
};

/** A statutory deadline. Colour and icon only underline the words. */
export function TicketClock({ clock, today }: { clock: StatutoryClock; today: string }) {
  const { words, tone } = clockWords(clock, today);
  const { className, Icon } = looks[tone];
  return (
    <span
      className={`inline-flex items-baseline gap-1 rounded-4 text-13 lg:whitespace-nowrap ${className}`}
      title={`${clockReason[clock.rule]} The deadline is ${longDay(clock.dueOn)}.`}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-3.5 flex-none self-start" strokeWidth={1.75} />
      {words}
    </span>
  );
}

const badges: Readonly<Record<Status, { words: string; tone: Tone }>> = {
  Open: { words: "Needs an answer", tone: "processing" },
  Waiting: { words: "Waiting for customer", tone: "pending" },
  Closed: { words: "Closed", tone: "failed" },
};

export function TicketStatus({ status }: { status: Status }) {
  const { words, tone } = badges[status];
  return <Badge status={words} tone={tone} />;
}
