/** Mails as an order or a ticket keeps them: those still to send, and those that went out. */
interface MailsOf<Template extends string> {
  readonly owed: readonly { readonly template: Template; readonly about: string; readonly since: string }[];
  readonly sent: readonly { readonly template: Template; readonly about: string }[];
}

/** The same mails and one more to send. */
export const owe = <Template extends string>(
  mails: MailsOf<Template>,
  template: NoInfer<Template>,
  about: string,
  since: string,
): MailsOf<Template> => ({
  ...mails,
  owed: [...mails.owed, { template, about, since }],
});

/** The same mails without those of a template: what they would say is no longer so. */
export const forget = <Template extends string>(
  mails: MailsOf<Template>,
  template: NoInfer<Template>,
): MailsOf<Template> => ({
  ...mails,
  owed: mails.owed.filter((mail) => mail.template !== template),
});

/** A mail went out, or could not be delivered: either way it is owed no longer. */
export function told<Template extends string>(
  mails: MailsOf<Template>,
  { template, about }: { readonly template: NoInfer<Template>; readonly about: string },
  sent: boolean,
): MailsOf<Template> {
  return {
    owed: mails.owed.filter((mail) => mail.template !== template || mail.about !== about),
    sent: sent ? [...mails.sent, { template, about }] : mails.sent,
  };
}
