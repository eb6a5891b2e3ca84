import { type ClockRule, daysLeft, type StatutoryClock } from "../../../domain/ticket/clocks.ts";

/** A statutory deadline in words; the tone only underlines what they say. */
export interface ClockWords {
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
export function clockWords(clock: StatutoryClock, today: string): ClockWords {
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
