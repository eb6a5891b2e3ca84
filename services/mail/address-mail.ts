import type { Mail } from "../providers/smtp/mailer.ts";
import type { Company } from "./templates/company.ts";
import type { Fact, Letter } from "./templates/letter.ts";
import { renderHtml } from "./templates/render-html.ts";
import { renderText } from "./templates/render-text.ts";

/** How one kind of mail is written. A change of wording is a new version: the log remembers which was sent. */
export type Template<Told> = { readonly version: number; readonly write: (told: Told) => Letter };

/** To whom a letter goes, and what it is about. */
export type Address = {
  readonly to: string;
  /** As it greets them. */
  readonly name: string;
  /** Stands under the heading, and its value in the subject: `Order`, and its number. */
  readonly reference: Fact;
  readonly company: Company;
  /** Names the mail for ever: the template, and the event it tells of. */
  readonly messageId: string;
};

/** A letter as it leaves the house: the same in text and HTML. */
export function addressMail(letter: Letter, { to, name, reference, company, messageId }: Address): Mail {
  const head = { name, reference };
  return {
    to,
    subject: `${letter.subject} (${reference.value})`,
    text: renderText(letter, head, company),
    html: renderHtml(letter, head, company),
    messageId,
  };
}

/** The port that writes mails, from a table of templates and what writes one of them; undefined when there is nobody to write to. */
export const composerOf = <Name extends string, Occasion extends { readonly template: Name }>(
  templates: Readonly<Record<Name, { readonly version: number }>>,
  write: (occasion: Occasion) => Mail | undefined,
) => ({
  compose: (occasion: Occasion) => ({
    templateVersion: templates[occasion.template].version,
    mail: write(occasion),
  }),
});
