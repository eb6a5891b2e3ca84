import { z } from "zod";
import * as field from "./fields.ts";
import { mailResult, probeResult, purgeFailureCode } from "./order/vocabulary.ts";

/**
 * A purge that was started and has not ended. It is in the log before any key is erased, and names exactly what is
 * purged: from then on the records count as gone, so that no command reads them, adds to them or finds them missing.
 */
export interface OpenPurge<Rule extends string, Kind extends string> {
  /** The id of the event that started it, which its result names. */
  readonly startedBy: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly rule: Rule;
  readonly records: readonly { readonly ref: string; readonly kind: Kind }[];
}

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

/** The same mails without those of a template: what they would say is no longer true. */
export const forget = <Template extends string>(
  mails: MailsOf<Template>,
  template: NoInfer<Template>,
): MailsOf<Template> => ({
  ...mails,
  owed: mails.owed.filter((mail) => mail.template !== template),
});

/** A mail went out, or could not be delivered: either way it is no longer owed. */
export function closeMail<Template extends string>(
  mails: MailsOf<Template>,
  { template, about }: { readonly template: NoInfer<Template>; readonly about: string },
  sent: boolean,
): MailsOf<Template> {
  return {
    owed: mails.owed.filter((mail) => mail.template !== template || mail.about !== about),
    sent: sent ? [...mails.sent, { template, about }] : mails.sent,
  };
}

/** A command's data: what came of the purge that an event started. `kind` of the records that were destroyed. */
export const purgeOutcome = <Kind extends z.ZodType<string>>(kind: Kind) =>
  z.discriminatedUnion("outcome", [
    z.strictObject({
      outcome: z.literal("purged"),
      startedBy: field.id,
      destroyed: z.array(kind).min(1),
      keyFingerprint: field.keyFingerprint,
      probe: probeResult,
      records: field.count,
    }),
    z.strictObject({
      outcome: z.literal("failed"),
      startedBy: field.id,
      code: purgeFailureCode,
      attempt: field.ordinal,
    }),
  ]);

/** An event's data: what is about to be purged, named before any key is erased. */
export const purgeStart = <Rule extends z.ZodType<string>, Kind extends z.ZodType<string>>(
  rule: Rule,
  kind: Kind,
) =>
  z.strictObject({
    rule,
    records: z.array(z.strictObject({ ref: field.vaultReference, kind })).min(1),
  });

/** An event's data: a mail that was sent, or could not be delivered. */
export const mailOf = <Template extends z.ZodType<string>>(template: Template) =>
  z.strictObject({
    template,
    templateVersion: field.ordinal,
    /** The id of the event it reports. */
    about: field.id,
  });

/** A command's data: what came of sending it. */
export const sentMail = <Template extends z.ZodType<string>>(template: Template) =>
  mailOf(template).extend({ result: mailResult });
