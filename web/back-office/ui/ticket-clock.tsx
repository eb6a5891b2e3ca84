import { AlarmClock, Check, Clock } from "lucide-react";
import { type ClockRule, daysLeft, type StatutoryClock } from "../../../domain/ticket/clocks.ts";
import type { TicketStatus as Status } from "../../../domain/ticket/vocabulary.ts";
import { longDay } from "../../ui/dates.ts";
import { Status as Badge, type Tone } from "./values.tsx";

/** A statutory deadline in words; the tone only underlines what they say. */
interface ClockWords {
  readonly words: string;
  readonly tone: "met" | "calm" | "soon" | "late";
}

const toDo: Readonly<Record<ClockRule, string>> = {
  acknowledgement: "Acknowledge",
  dataRequest: "Answer",
  refund: "Refund",
};

const done: Readonly<Record<ClockRule, string>> = {
  acknowledgement: "Acknowledged",
  dataRequest: "Answered",
  refund: "Dealt with",
};

/** The statutory duty, in a sentence. */
export const clockReason: Readonly<Record<ClockRule, string>> = {
  acknowledgement: "A data protection complaint must be acknowledged within 30 days.",
  dataRequest: "A request about personal data must be answered within one month.",
  refund: "Customers who cancel in time must be refunded within 14 days.",
};

/** Deadlines this close are highlighted. */
const soonDays = 3;

/**
 * 'Refund within 12 days', 'Answer today', 'Acknowledge: 2 days overdue', 'Answered in time'.
 * @param today in London, `2026-11-21`
 */
function clockWords(clock: StatutoryClock, today: string): ClockWords {
  const { rule, dueOn, metOn } = clock;
  if (metOn !== null) {
    const inTime = metOn <= dueOn;
    return { words: `${done[rule]} ${inTime ? "in time" : "late"}`, tone: "met" };
  }
  const left = daysLeft(clock, today);
  if (left < 0) return { words: `${toDo[rule]}: ${days(-left)} overdue`, tone: "late" };
  if (left === 0) return { words: `${toDo[rule]} today`, tone: "soon" };
  return { words: `${toDo[rule]} within ${days(left)}`, tone: left <= soonDays ? "soon" : "calm" };
}

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago, in one unit: '12 min', '5 h', '3 days'. */
export function waitedWords(since: string, nowMs: number): string {
  const waited = Math.max(0, nowMs - Date.parse(since));
  if (waited < minuteMs) return "just now";
  if (waited < hourMs) return `${Math.floor(waited / minuteMs)} min`;
  if (waited < 2 * dayMs) return `${Math.floor(waited / hourMs)} h`;
  return days(Math.floor(waited / dayMs));
}

const toneStyles: Readonly<Record<ClockWords["tone"], { className: string; Icon: typeof Clock }>> = {
  met: { className: "text-muted", Icon: Check },
  calm: { className: "text-ink", Icon: Clock },
  soon: { className: "bg-pending-ground px-1.5 py-px font-[500] text-pending", Icon: AlarmClock },
  late: { className: "bg-cancelled-ground px-1.5 py-px font-[500] text-cancelled", Icon: AlarmClock },
};

/** A statutory deadline. Colour and icon only underline the words. */
export function TicketClock({ clock, today }: { clock: StatutoryClock; today: string }) {
  const { words, tone } = clockWords(clock, today);
  const { className, Icon } = toneStyles[tone];
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
