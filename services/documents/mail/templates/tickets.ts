import { writtenDate, writtenMoment } from "../../dates.ts";
import { button, facts, heading, type Letter, list, paragraph } from "./letter.ts";

/** Content of every mail about a ticket; only the name is personal, and messages are never included. */
export type TicketOccasion = {
  name: string;
  ticketNumber: string;
  link: string;
};

/** How to return to the conversation, in each of these mails. */
const comingBack = (supportEmail: string) =>
  paragraph(
    `Anyone with the link can open your conversation, so please do not forward this email. You can also open it with the ticket number and your email address. For anything else, email ${supportEmail}.`,
  );

const dataProtection = (acknowledgeBy: string) => [
  heading("Your data protection complaint"),
  paragraph(
    `This email acknowledges your complaint, which the law requires us to do by ${writtenDate(acknowledgeBy)}.`,
  ),
  list(
    "We will look into it without undue delay, keep you informed, and tell you the outcome in this conversation.",
    "You can complain to the Information Commissioner (ico.org.uk) at any time, even while we are looking into it.",
  ),
];

type TicketOpenedValues = TicketOccasion & {
  openedAt: string;
  /** `A question before I order`. */
  category: string;
  /** Statutory deadline for acknowledging a data protection complaint. */
  acknowledgeBy: string | null;
};

export const ticketOpened = (
  values: TicketOpenedValues,
  { supportEmail }: { supportEmail: string },
): Letter => ({
  subject: "We have received your message",
  blocks: [
    paragraph(
      "Thank you for writing to us. A person will read your message, and we’ll email you when they have replied.",
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
      "If you did not write to us, someone gave your address by mistake and you can ignore this email.",
    ),
  ],
});

type TicketAnsweredValues = TicketOccasion & { answeredAt: string; daysUntilSilence: number };

/** Announces a reply, whose text stays behind the link. */
export const ticketAnswered = (
  values: TicketAnsweredValues,
  { supportEmail }: { supportEmail: string },
): Letter => ({
  subject: "We have replied to your message",
  blocks: [
    paragraph(
      `We replied to your message on ${writtenMoment(values.answeredAt)}. You can read our reply, and respond, here:`,
    ),
    button("Read our reply", values.link),
    paragraph(
      `If we do not hear from you for ${values.daysUntilSilence} days, we’ll assume that all is well and close the conversation. Replying reopens it.`,
    ),
    comingBack(supportEmail),
  ],
});

export const ticketLink = (values: TicketOccasion, { supportEmail }: { supportEmail: string }): Letter => ({
  subject: "Your new private link",
  blocks: [
    paragraph("You have a new private link to your conversation. Earlier links no longer work."),
    button("Open your conversation", values.link),
    comingBack(supportEmail),
  ],
});
