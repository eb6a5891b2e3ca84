import { z } from "zod";
import { wholeNumber } from "../../../domain/forms/answers.ts";

/** GET …/timeline?at=: the revision of an event, for the order right after it. */
export const timelineRequest = z.object({
  at: wholeNumber({ least: 0, most: 1_000_000 }, "Use the revision of an event").optional(),
});
export type TimelineRequest = z.output<typeof timelineRequest>;
