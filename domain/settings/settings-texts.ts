import { z } from "zod";
import { unknownVariables } from "./canned-answers.ts";
import { placesFor, placesOfRegistration } from "./company.ts";

/**
 * What is kept as text: who we are, canned answers, testimonials. The same schemas check the forms, the requests and
 * what was kept.
 */

const oneLine = /^[^\p{Cc}\u2028\u2029]*$/u;

const line = (what: string, most: number) =>
  z
    .string(`${what} is required`)
    .trim()
    .min(1, `${what} is required`)
    .max(most, `Use ${most} characters or fewer`)
    .regex(oneLine, "Use one line");

/** A line that may be left empty: it is then not shown. */
const optionalLine = (most: number) =>
  z.string().trim().max(most, `Use ${most} characters or fewer`).regex(oneLine, "Use one line");

/** A number at the basic rate. Source: Consumer Contracts Regulations 2013, regulation 41. */
const basicRate = /^0([123]\d{8,9}|7[1-9]\d{8}|80\d{7,8})$/;

const ukTelephone = optionalLine(20).superRefine((typed, context) => {
  if (typed === "") return;
  const digits = typed.replace(/^\+44 ?(\(0\))?/, "0").replaceAll(/[ ()-]/g, "");
  if (/^0(84|87|9)\d+$/.test(digits)) {
    const message = "Customers must not pay more than the basic rate: use an 01, 02, 03, 07 or 080 number";
    context.addIssue({ code: "custom", message });
  } else if (!basicRate.test(digits)) {
    context.addIssue({ code: "custom", message: "Enter a UK telephone number, like 0115 496 0000" });
  }
});

/** Who we are, as customers see it in mails and on every page: see company.ts. */
export const companyDetails = z.object({
  tradingName: line("Trading name", 60),
  companyName: optionalLine(160),
  companyNumber: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^(\d{8}|([A-Z]{2}|R\d)\d{6}|)$/, "A company number has 8 characters, like 01234567 or SC123456"),
  /** Details of before it was asked for have none. */
  vatNumber: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^((GB ?)?\d{3} ?\d{4} ?\d{2}|)$/, "A VAT number has 9 digits, like GB123456789")
    .default(""),
  registeredIn: z.enum(["", ...placesOfRegistration], "Choose where the company is registered"),
  registeredOffice: optionalLine(200),
  postalAddress: line("Postal address", 200),
  supportEmail: z
    .email("Enter an email address in the right format, like help@example.co.uk")
    .max(254, "Use 254 characters or fewer"),
  telephone: ukTelephone,
  telephoneHours: optionalLine(80),
  replyWorkingDays: z
    .string()
    .trim()
    .regex(/^([1-9]|10|)$/, "Enter a number of working days from 1 to 10"),
});
export type CompanyDetails = z.output<typeof companyDetails>;

/** Rules for entering the details: some are required together. */
export const enteredCompany = companyDetails.superRefine((company, context) => {
  const say = (path: keyof CompanyDetails, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  const { companyName, companyNumber, registeredIn } = company;
  if (companyNumber === "" && registeredIn !== "") say("companyNumber", "Enter the company number too");
  if (companyNumber !== "") {
    const places = placesFor(companyNumber);
    if (companyName === "") say("companyName", "Enter the registered name of the company");
    if (registeredIn === "") say("registeredIn", "Choose where the company is registered");
    else if (!places.includes(registeredIn)) {
      say("registeredIn", `A company numbered ${companyNumber} is registered in ${places.join(" or ")}`);
    }
  }
  if (company.telephone === "" && company.telephoneHours !== "") {
    say("telephone", "Enter the telephone number too, or leave its hours empty");
  }
});

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
