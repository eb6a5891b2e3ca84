import type { MailRules } from "../mailbox.ts";
import { type Ticket, writtenMessages } from "./state.ts";
import type { TicketMailTemplate } from "./vocabulary.ts";

/** What a ticket says of its mails. */
export const ticketMailRules = ({
  contactRef,
  messages,
  category,
  acknowledgement,
}: Ticket): MailRules<TicketMailTemplate> => ({
  hasAddress: contactRef !== null,
  isTrue({ template, about }) {
    if (template === "ticketOpened") return acknowledgement.state !== "otherwise";
    // An earlier answer is on the page that the last one leads to.
    return template === "ticketLink" || writtenMessages({ messages }).at(-1)?.messageId === about;
  },
  // A link was asked for; the law wants complaints and requests about personal data acknowledged and answered.
  isNeeded: ({ template }) =>
    template === "ticketLink" || category === "dataProtectionComplaint" || category === "dataRequest",
});
