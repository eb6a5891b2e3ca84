import type { DraftLinkRecord } from "../../../domain/saved-draft/sealed-records.ts";
import type { SavedDraft } from "../../../domain/saved-draft/state.ts";
import type { DraftMailTemplate } from "../../../domain/saved-draft/vocabulary.ts";
import type { Company } from "../../../domain/settings/company.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { addressMail, composerOf, type Template } from "./address-mail.ts";
import { savedDraft } from "./templates/links.ts";

type MailFacts = { draft: SavedDraft; linkWith: (part: "key" | "delete") => string };

const templates: Readonly<Record<DraftMailTemplate, Template<MailFacts>>> = {
  savedDraft: {
    version: 2,
    write: ({ draft: { expiresAt }, linkWith }) =>
      savedDraft({ link: linkWith("key"), deletionLink: linkWith("delete"), expiresAt }),
  },
};

/** Writes the mails of saved drafts. */
export function composeDraftMails(parts: {
  /** Read for each mail. */
  company: () => Company;
  /** Without a trailing slash. */
  publicUrl: string;
}): DraftMails {
  const write = ({ draft, link, template, about }: DraftMailOccasion): Mail | undefined => {
    if (!link) return undefined;
    // In the fragment, which never reaches a server, log or Referer.
    const linkWith = (part: "key" | "delete") => `${parts.publicUrl}/order/saved#${part}=${link.key}`;
    return addressMail(templates[template].write({ draft, linkWith }), {
      to: link.email,
      name: "customer",
      reference: undefined,
      company: parts.company(),
      messageId: `${template}.${about}`,
    });
  };
  return composerOf(templates, write);
}

/** The event of a mail; `link` is undefined once the record was destroyed. */
type DraftMailOccasion = {
  draft: SavedDraft;
  link: DraftLinkRecord | undefined;
  template: DraftMailTemplate;
  about: string;
};

export interface DraftMails {
  /** `mail` is undefined without a recipient. */
  compose(occasion: DraftMailOccasion): { templateVersion: number; mail: Mail | undefined };
}
