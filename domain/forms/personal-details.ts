import { z } from "zod";
import { choice, optional, required } from "./answers.ts";
import { questionEmail } from "./email-typo.ts";
import { country, titles } from "./options.ts";
import { questionPostcode, tidyPostcode } from "./postcode.ts";
import { ask, type Question, questions } from "./question.ts";

const emailMessage = "Please enter a valid email address";

/** One email address. */
export const email = z.string(emailMessage).trim().max(254, emailMessage).pipe(z.email(emailMessage));

/** @param named the name of a field, as a message begins with it */
const addressAnswers = (named: (field: string) => string) => ({
  line1: required(`${named("Address line 1")} is required`),
  line2: optional(),
  town: required(`${named("Town")} is required`, 100),
  county: required(`${named("County")} is required`, 100),
  postcode: required(`${named("Postcode")} is required`, 20).transform(tidyPostcode),
  country: choice([country], `${named("Country")} is required`),
});

/** The answers of Your Details that section 3's contactAddress and contactPhone need too. */
export const contactAnswers = {
  ...addressAnswers((field) => field),
  daytime: required("Daytime phone is required", 40),
  evening: optional(40),
};

/** The same of a recipient who is not the customer. */
export const recipientAnswers = {
  fullName: required("Recipient’s full name is required", 210),
  ...addressAnswers((field) => `Recipient’s ${field.toLowerCase()}`),
};

/** One line for the customer's own records, such as a case number. */
export const customerReference = z
  .string()
  .overwrite((typed) => typed.replace(/\p{Cc}+/gu, " "))
  .trim()
  .max(40, "Use 40 characters or fewer")
  .nullish()
  .transform((typed) => typed ?? "");

/** Who gets the certificate: the customer, or another person. */
export const postTo = ["me", "someone else"] as const;

const { country: _, ...recipientFields } = recipientAnswers;

const recipientDetails = z.discriminatedUnion("postTo", [
  z.object({ postTo: z.literal("me") }),
  z.object({ postTo: z.literal("someone else"), ...recipientFields }),
]);

const phone = z.object({ daytime: contactAnswers.daytime, evening: contactAnswers.evening });

/** Compared even while other answers are missing: otherwise the message would appear only once all else is valid. */
const emailsMatch = {
  path: ["confirmEmail"],
  error: "Email addresses do not match",
  when: ({ value }: { value: unknown }) => bothEmails.safeParse(value).success,
};
const bothEmails = z.object({ email, confirmEmail: email });
const areEmailsSame = (details: z.output<typeof bothEmails>): boolean =>
  details.email === details.confirmEmail;

/** The part of Your Details by which we reach the customer, which can change when name and address no longer can. */
export const reachDetailsSchema = z
  .object({ email, confirmEmail: email, phone, customerReference })
  .refine(areEmailsSame, emailsMatch);

export type ReachDetailsInput = z.input<typeof reachDetailsSchema>;
export type ReachDetails = z.output<typeof reachDetailsSchema>;

/** Step 2, Your Details. */
export const personalDetailsSchema = z
  .object({
    title: choice(titles, "Title is required"),
    firstName: required("First name is required", 100),
    lastName: required("Last name is required", 100),
    companyName: optional(),
    email,
    confirmEmail: email,
    address: z.object({
      line1: contactAnswers.line1,
      line2: contactAnswers.line2,
      town: contactAnswers.town,
      county: contactAnswers.county,
      postcode: contactAnswers.postcode,
      country: contactAnswers.country,
    }),
    recipient: recipientDetails.prefault({ postTo: "me" }),
    phone,
    customerReference,
  })
  .refine(areEmailsSame, emailsMatch);

export type PersonalDetailsInput = z.input<typeof personalDetailsSchema>;
export type PersonalDetails = z.output<typeof personalDetailsSchema>;

/** Questions about suspicious email addresses, as typed. */
export const questionReachDetails = (answers: { email: string; confirmEmail: string }): Question[] =>
  questions(
    ask("email", questionEmail(answers.email)),
    ask("confirmEmail", questionEmail(answers.confirmEmail)),
  );

/** Questions about suspicious answers in Your Details, from answers as typed. */
export const questionPersonalDetails = (answers: {
  email: string;
  confirmEmail: string;
  address: { postcode: string };
  recipient?: { postTo: string; postcode?: string } | undefined;
}): Question[] => [
  ...questionReachDetails(answers),
  ...questions(
    ask("address.postcode", questionPostcode(answers.address.postcode)),
    ask("recipient.postcode", questionPostcode(answers.recipient?.postcode ?? "")),
  ),
];
