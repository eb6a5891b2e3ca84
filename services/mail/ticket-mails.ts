import type { TicketContactRecord } from "../../domain/ticket/sealed-texts.ts";
import type { Ticket } from "../../domain/ticket/state.ts";
import type { TicketMailTemplate } from "../../domain/ticket/vocabulary.ts";
import type { Mail } from "../providers/smtp/mailer.ts";

/** What a mail is about; `contact` is undefined once the record was destroyed. */
export type TicketMailOccasion = {
  ticket: Ticket;
  contact: TicketContactRecord | undefined;
  template: TicketMailTemplate;
  /** The id of the event it tells of. */
  about: string;
};

/** Writes the mails of a ticket. */
export interface TicketMails {
  /** `mail` is undefined when there is nobody to write to. */
  compose(occasion: TicketMailOccasion): { templateVersion: number; mail: Mail | undefined };
}
