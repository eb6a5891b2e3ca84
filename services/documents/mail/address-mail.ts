import type { Company } from "../../../domain/settings/company.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import type { Fact, Letter } from "./templates/letter.ts";
import { renderHtml } from "./templates/render-html.ts";
import { renderText } from "./templates/render-text.ts";

/** Template of one kind of mail. A change of wording is a new version: the log records which was sent. */
export type Template<Facts> = { readonly version: number; readonly write: (facts: Facts) => Letter };

export type Address = {
  readonly to: string;
  readonly name: string;
  /** Shown under the heading, with its value in the subject: `Order`, and its number. Undefined: neither. */
  readonly reference: Fact | undefined;
  readonly company: Company;
  /** Permanent id of the mail: the template, and its event. */
  readonly messageId: string;
};

/** A complete mail, with the same content in text and HTML. */
export function addressMail(letter: Letter, { to, name, reference, company, messageId }: Address): Mail {
  const head = { name, reference };
  return {
    to,
    subject: reference ? `${letter.subject} (${reference.value})` : letter.subject,
    text: renderText(letter, head, company),
    html: renderHtml(letter, head, company),
    messageId,
  };
}

/**
 * Builds a port for writing mails from a table of templates and a function that writes one; undefined without a
 * recipient.
 */
export const composerOf = <Name extends string, Occasion extends { readonly template: Name }>(
  templates: Readonly<Record<Name, { readonly version: number }>>,
  write: (occasion: Occasion) => Mail | undefined,
) => ({
  compose: (occasion: Occasion) => ({
    templateVersion: templates[occasion.template].version,
    mail: write(occasion),
  }),
});
