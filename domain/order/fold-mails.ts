import type { OrderEventData } from "./events.ts";
import type { Mails } from "./state.ts";
import type { MailTemplate } from "./vocabulary.ts";

/** The same mails and one more to send. */
export const owe = (mails: Mails, template: MailTemplate, about: string, since: string): Mails => ({
  ...mails,
  owed: [...mails.owed, { template, about, since }],
});

/** The same mails without those of a template: what they would say is no longer so. */
export const forget = (mails: Mails, template: MailTemplate): Mails => ({
  ...mails,
  owed: mails.owed.filter((mail) => mail.template !== template),
});

/** A mail went out, or could not be delivered: either way it is owed no longer. */
export function told(mails: Mails, { template, about }: OrderEventData<"MailSent">, sent: boolean): Mails {
  return {
    owed: mails.owed.filter((mail) => mail.template !== template || mail.about !== about),
    sent: sent ? [...mails.sent, { template, about }] : mails.sent,
  };
}
