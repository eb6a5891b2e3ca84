import { writtenMoment } from "./dates.ts";
import { button, type Letter, paragraph } from "./letter.ts";

/** The link to an unfinished order; nothing of what was typed. */
export const savedDraft = (values: {
  /** Opens the order in the form. */
  link: string;
  /** Leads to its deletion. */
  deletionLink: string;
  expiresAt: string;
}): Letter => ({
  subject: "The link to your unfinished order",
  blocks: [
    paragraph(
      "You asked us for a link to your unfinished order. It opens the form where you left off, on any device:",
    ),
    button("Continue My Order", values.link),
    paragraph(
      `The link works until ${writtenMoment(values.expiresAt)}. Then we delete what you entered. We also delete it if you save the order again, and once you have paid for it. You have not ordered or paid for anything yet, and we will not send reminders.`,
    ),
    paragraph(
      "If you no longer need it, you can ",
      { link: "delete what you entered now", to: values.deletionLink },
      ".",
    ),
    paragraph(
      "Anyone with this link can see what you entered, so please do not forward this email. If you did not ask for it, someone entered your address, perhaps by mistake. Please ignore this email and do not use its links.",
    ),
  ],
});
