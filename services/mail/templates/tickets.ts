import { writtenDate, writtenMoment } from "./dates.ts";
import { button, facts, heading, type Letter, list, paragraph } from "./letter.ts";

/** What every mail about a ticket holds; personal is the name alone, never what was written. */
export type TicketOccasion = {
  name: string;
  ticketNumber: string;
  /** The private link. */
  link: string;
};

/** How to come back, told in each of these mails. */
const comingBack = (supportEmail: string) =>
  paragraph(
    `The link opens your conversation for anybody who has it, so please do not pass this mail on. You can also open it with the ticket number and your email address. Something else? Write to ${supportEmail}.`,
  );

const dataProtection = (acknowledgeBy: string) => [
  heading("Your data protection complaint"),
  paragraph(
    `This mail acknowledges your complaint. The law gives us until ${writtenDate(acknowledgeBy)} to do so; we would rather not wait.`,
  ),
  list(
    "We look into it without undue delay, keep you informed, and tell you the outcome in this conversation.",
    "You may complain to the Information Commissioner at any time (ico.org.uk), also while we look into it.",
  ),
];

export type TicketOpenedValues = TicketOccasion & {
  openedAt: string;
  /** `A question before I order`. */
  category: string;
  /** The last day of the law to acknowledge it, for a data protection complaint. */
  acknowledgeBy: string | null;
};

/** The acknowledgement. */
export const ticketOpened = (
  values: TicketOpenedValues,
  { supportEmail }: { supportEmail: string },
): Letter => ({
  subject: "We have your message",
  blocks: [
    paragraph(
      "Thank you for writing to us. A person reads your message and answers; we send you a mail when they have.",
    ),
    facts(
      { name: "Ticket number", value: values.ticketNumber },
      { name: "About", value: values.category },
      { name: "Received", value: writtenMoment(values.openedAt) },
    ),
    ...(values.acknowledgeBy === null ? [] : dataProtection(values.acknowledgeBy)),
    button("Open your conversation", values.link),
    comingBack(supportEmail),
    paragraph(
      "You did not write to us? Then somebody gave your address by mistake, and you need do nothing.",
    ),
  ],
});

export type TicketAnsweredValues = TicketOccasion & { answeredAt: string; daysUntilSilence: number };

/** Somebody answered; what they wrote stays behind the link. */
export const ticketAnswered = (
  values: TicketAnsweredValues,
  { supportEmail }: { supportEmail: string },
): Letter => ({
  subject: "We have answered you",
  blocks: [
    paragraph(
      `We answered your message on ${writtenMoment(values.answeredAt)}. You read it, and can reply, here:`,
    ),
    button("Read the answer", values.link),
    paragraph(
      `If we do not hear from you for ${values.daysUntilSilence} days we take it that all is well and close the conversation. A reply opens it again.`,
    ),
    comingBack(supportEmail),
  ],
});

/** The private link was replaced. */
export const ticketLink = (values: TicketOccasion, { supportEmail }: { supportEmail: string }): Letter => ({
  subject: "Your new private link",
  blocks: [
    paragraph("You have a new private link to your conversation. Every earlier one has stopped working."),
    button("Open your conversation", values.link),
    comingBack(supportEmail),
  ],
});
