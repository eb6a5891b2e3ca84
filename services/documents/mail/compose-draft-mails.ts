import type { DraftLinkRecord } from "../../../domain/saved-draft/sealed-records.ts";
import type { SavedDraft } from "../../../domain/saved-draft/state.ts";
import type { DraftMailTemplate } from "../../../domain/saved-draft/vocabulary.ts";
import type { Company } from "../../../domain/settings/company.ts";
import type { ReturnTo } from "../../correspondence/return-address.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { writtenMoment } from "../dates.ts";
import { addressMail, button, composerOf, type Letter, paragraph, type Template } from "./letter.ts";

type MailFacts = { draft: SavedDraft; linkWith: (part: "key" | "delete") => string };

const templates: Readonly<Record<DraftMailTemplate, Template<MailFacts>>> = {
  savedDraft: {
    version: 3,
    write: ({ draft: { expiresAt }, linkWith }) =>
      savedDraft({ link: linkWith("key"), deletionLink: linkWith("delete"), expiresAt }),
  },
};

/** The link to an unfinished order; nothing of what was typed. */
function savedDraft(values: {
  /** Opens the order in the form. */
  link: string;
  /** Leads to its deletion. */
  deletionLink: string;
  expiresAt: string;
}): Letter {
  return {
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
        { link: "delete your unfinished order now", to: values.deletionLink },
        ".",
      ),
      paragraph(
        "Anyone with this link can see what you entered, so please do not forward this email. If you did not ask for it, someone entered your address, perhaps by mistake. Please ignore this email and do not use its links.",
      ),
    ],
  };
}

/** Writes the mails of saved drafts. */
export function composeDraftMails(parts: {
  /** Read for each mail. */
  company: () => Company;
  /** Without a trailing slash. */
  publicUrl: string;
  returnTo: ReturnTo;
}): DraftMails {
  const write = ({ draft, link, template, about }: DraftMailOccasion): Mail | undefined => {
    if (!link) return undefined;
    // In the fragment, which never reaches a server, log or Referer.
    const linkWith = (part: "key" | "delete") => `${parts.publicUrl}/order/saved#${part}=${link.key}`;
    const messageId = `${template}.${about}`;
    const thread = { kind: "draft", id: draft.draftId } as const;
    return addressMail(templates[template].write({ draft, linkWith }), {
      to: link.email,
      name: "customer",
      reference: undefined,
      company: parts.company(),
      messageId,
      thread,
      returnTo: parts.returnTo({ subject: thread, messageId, generation: 0 }),
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
