import { z } from "zod";
import { unknownVariables } from "./canned-answers.ts";

/**
 * What is kept as text: who we are, canned answers, testimonials. The same schemas check the forms, the requests and
 * what was kept.
 */

const line = (what: string, most: number) =>
  z
    .string(`${what} is required`)
    .trim()
    .min(1, `${what} is required`)
    .max(most, `Use ${most} characters or fewer`)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "Use one line");

/** Who we are, as customers see it in mails and on every page. */
export const companyDetails = z.object({
  tradingName: line("Trading name", 60),
  supportEmail: z
    .email("Enter an email address in the right format, like help@example.co.uk")
    .max(254, "Use 254 characters or fewer"),
  /** On one line, without the name: `Nottingham, NG1, United Kingdom`. */
  postalAddress: line("Postal address", 200),
  /** As Companies House has it; empty when there is none. */
  companyNumber: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([0-9A-Z]{2}\d{6})?$/, "A company number has 8 characters, like 01234567 or SC123456"),
});
export type CompanyDetails = z.output<typeof companyDetails>;

export const cannedAnswer = z.object({
  title: line("Title", 80),
  text: z
    .string("Text is required")
    .trim()
    .min(1, "Text is required")
    .max(4000, "Use 4,000 characters or fewer")
    .superRefine((text, context) => {
      for (const name of unknownVariables(text)) {
        context.addIssue({ code: "custom", message: `There is no variable {{${name}}}` });
      }
    }),
});

const webAddress = z
  .url({ protocol: /^https$/, error: "Enter a web address that starts with https://" })
  .max(500, "Use 500 characters or fewer");

/** What a customer said, where it can be checked. */
export const testimonial = z.object({
  quote: line("Quote", 400),
  name: line("Name", 80),
  /** Where they said it: a review site, a letter. */
  source: line("Source", 120),
  url: webAddress.optional(),
});
export type Testimonial = z.output<typeof testimonial>;

export const mostTestimonials = 6;
export const testimonials = z.array(testimonial).max(mostTestimonials, "Six at most");
