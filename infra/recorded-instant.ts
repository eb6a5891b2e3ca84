import { z } from "zod";

/** A moment that we recorded, in the one form that we print: `2026-11-21T09:30:00.000Z`. Any other is not ours. */
export const recordedInstant = z.iso.datetime({ precision: 3 });
