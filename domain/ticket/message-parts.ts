import { z } from "zod";
import * as field from "../fields.ts";
import * as word from "./vocabulary.ts";

/** What a customer's message brings beside its text. Nothing here says who wrote, or what a file is called. */

/** Bounds of one message, by mail or from the page. */
export const mostAttachments = 20;
export const mostAttachmentBytes = 10_000_000;
/** Of a mail as it came. */
export const mostOriginalBytes = 15_000_000;

/** A file, sealed in the vault; its name is sealed with the text of its message. */
export const attachment = z.strictObject({
  ref: field.vaultReference,
  type: word.attachmentType,
  bytes: field.count,
});

/** What the receiving server found, from its `Authentication-Results`. */
export const mailAuthentication = z.strictObject({
  spf: word.authenticationResult,
  dkim: word.authenticationResult,
  dmarc: word.authenticationResult,
});

/** How a message came by mail. */
export const mailArrival = z.strictObject({
  sender: word.mailSender,
  /** Null where the receiving server added no results. */
  authentication: mailAuthentication.nullable(),
  /** The mail as it came, sealed. */
  originalRef: field.vaultReference,
});

/** For events and commands: `mail` is null for a message from the page. */
export const messageParts = {
  mail: mailArrival.nullable(),
  attachments: z.array(attachment).max(mostAttachments),
};

export type Attachment = z.infer<typeof attachment>;
export type MailArrival = z.infer<typeof mailArrival>;
export type MailAuthentication = z.infer<typeof mailAuthentication>;

/** What `keptBytes` counts, of a command or of the state, where purged parts have no reference. */
export type KeptParts = {
  readonly mail: object | null;
  readonly attachments: readonly Pick<Attachment, "bytes">[];
};

/**
 * What is kept of a message beside its text, in bytes. Events do not say how large a mail was as it came, so each counts
 * as the largest.
 */
export const keptBytes = ({ mail, attachments }: KeptParts): number =>
  attachments.reduce((sum, { bytes }) => sum + bytes, mail === null ? 0 : mostOriginalBytes);

/** A message from the page, with nothing attached. */
export const onlyText = { mail: null, attachments: [] } satisfies {
  readonly mail: MailArrival | null;
  readonly attachments: Attachment[];
};
