import type { z } from "zod";
import type { CalendarDate } from "../../domain/calendar-date.ts";

const london = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Europe/London",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The day in London at a moment. */
export const londonDay = (at: Date): CalendarDate => london.format(at);

/** A schema that depends on today, built once a day: building one costs more than parsing with it. */
export function schemaOfToday<Body>(
  schemaFor: (today: CalendarDate) => z.ZodType<Body>,
  now: () => Date,
): () => z.ZodType<Body> {
  let built: { today: CalendarDate; schema: z.ZodType<Body> } | undefined;
  return () => {
    const today = londonDay(now());
    if (built?.today !== today) built = { today, schema: schemaFor(today) };
    return built.schema;
  };
}
