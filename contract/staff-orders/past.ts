import * as field from "../../domain/fields.ts";

const yearMs = 366 * 86_400_000;

/** A moment of the last year: when something happened outside. Promises, deadlines and purges are counted from it. */
export const past = (now: () => Date) =>
  field.instant
    .refine((at) => Date.parse(at) <= now().getTime() + 60_000, "This is still to come")
    .refine((at) => Date.parse(at) >= now().getTime() - yearMs, "This is more than a year ago");
