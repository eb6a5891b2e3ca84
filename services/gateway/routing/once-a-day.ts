import type { CalendarDate } from "../../../domain/calendar-date.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";

/** Computes a value once per day, by the date in London. */
export function onceADay<Made>(now: () => Date, make: (today: CalendarDate) => Made): () => Made {
  let kept: { readonly today: CalendarDate; readonly made: Made } | undefined;
  return () => {
    const today = londonDate(now().toISOString());
    if (kept?.today !== today) kept = { today, made: make(today) };
    return kept.made;
  };
}
