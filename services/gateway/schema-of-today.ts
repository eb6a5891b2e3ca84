import type { z } from "zod";
import type { CalendarDate } from "../../domain/calendar-date.ts";
import { londonDate } from "../../domain/promise/london-time.ts";

/** A schema that depends on today in London, built once a day: building one costs more than parsing with it. */
export function schemaOfToday<Body>(
  schemaFor: (today: CalendarDate) => z.ZodType<Body>,
  now: () => Date,
): () => z.ZodType<Body> {
  let built: { today: CalendarDate; schema: z.ZodType<Body> } | undefined;
  return () => {
    const today = londonDate(now().toISOString());
    if (built?.today !== today) built = { today, schema: schemaFor(today) };
    return built.schema;
  };
}
