import { z } from "zod";
import { staffReason } from "./decider.ts";
import { required } from "./forms/answers.ts";
import { email } from "./forms/personal-details.ts";
import { tidyPostcode } from "./forms/postcode.ts";
import { revealReason } from "./order/vocabulary.ts";

/** The forms of the back office's pages about customers, and the bodies that their calls take. */

const mostLetters = 210;

/** POST /api/admin/customers/search: by one thing that people know of themselves. */
export const customerSearch = z.discriminatedUnion(
  "by",
  [
    z.object({ by: z.literal("email"), typed: email }),
    z.object({ by: z.literal("surname"), typed: required("Enter a surname", mostLetters) }),
    z.object({ by: z.literal("postcode"), typed: required("Enter a postcode", 20).transform(tidyPostcode) }),
  ],
  "Choose what to search by",
);
export type CustomerSearch = z.output<typeof customerSearch>;

/** POST …/reveal */
export const customerReveal = z.object({ reason: z.enum(revealReason.options, "Choose a reason") });
export type CustomerReveal = z.output<typeof customerReveal>;

/** POST …/export: to be read, or to be taken elsewhere. */
export const customerExport = z.object({ format: z.enum(["pdf", "json"], "Choose PDF or JSON") });
export type CustomerExport = z.output<typeof customerExport>;

/** POST …/erase */
export const customerErasure = z.object({ reason: z.enum(staffReason.options, "Choose a reason") });
export type CustomerErasure = z.output<typeof customerErasure>;
