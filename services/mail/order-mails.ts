import type { ContactRecord } from "../../domain/forms/sealed-records.ts";
import type { Order } from "../../domain/order/state.ts";
import type { MailTemplate } from "../../domain/order/vocabulary.ts";
import type { Mail } from "../providers/smtp/mailer.ts";

/** What a mail is about; `contact` is undefined once the record was destroyed. */
export type MailOccasion = {
  order: Order;
  contact: ContactRecord | undefined;
  template: MailTemplate;
  /** The id of the event it tells of. */
  about: string;
};

/** Writes the mails of an order. */
export interface OrderMails {
  /** `mail` is undefined when there is nobody to write to. */
  compose(occasion: MailOccasion): { templateVersion: number; mail: Mail | undefined };
}
