import * as field from "../../domain/fields.ts";

const yearMs = 366 * 86_400_000;

/** When something happened outside, within the last year. Promises, deadlines and purges count from it. */
export const past = (now: () => Date) =>
  field.instant
    .refine((at) => Date.parse(at) <= now().getTime() + 60_000, "This is in the future")
    .refine((at) => Date.parse(at) >= now().getTime() - yearMs, "This is more than a year ago");
