import type { mailLimits } from "./limits.ts";

/** One mail for one recipient of ours, as it came. */
export type ArrivedMail = {
  /** "" for the null sender. */
  readonly envelopeFrom: string;
  readonly recipient: string;
  /** The same object for each recipient of a transaction, so that it is read once. */
  readonly raw: Uint8Array;
  /** Aborted when the other side has left without an answer: it sends the mail again. */
  readonly left?: AbortSignal;
};

/** Port of mail that comes in. */
export interface MailIn {
  /**
   * Starts to take mail. A mail is acknowledged once `receive` says "taken". When it throws, the other side is asked to
   * try again.
   */
  start(receive: (mail: ArrivedMail) => Promise<Reception>): Promise<void>;
  /** Takes no new mail, and ends what is under way. */
  stop(): Promise<void>;
  /** Address and port of a listener; undefined for a mailbox. */
  readonly listening: { readonly host: string; readonly port: number } | undefined;
}

export type Reception =
  | { readonly kind: "taken" }
  | ({
      readonly kind: "refused";
      /** Until when it is of no use to try again. */
      readonly againAfterMs?: number;
    } & Refusal);

/** An SMTP reply. With a 4xx the other side tries again; a 5xx is for good, and returns the mail to its author. */
export type Refusal = {
  readonly code: MailRefusalCode;
  readonly reply: number;
  /** RFC 3463. */
  readonly enhanced: string;
  readonly text: string;
};

export type MailRefusalCode = keyof typeof refusals;

/** Every reply that mail is refused with. The texts reach the author of a mail by way of their own server. */
const refusals = {
  noSuchMailbox: [550, "5.1.1", "No such mailbox here"],
  tooLarge: [552, "5.3.4", "The mail is larger than 15 MB"],
  headersTooLarge: [554, "5.6.0", "The mail has more than 64 KB of headers"],
  tooManyParts: [554, "5.6.0", "The mail has more than 50 parts"],
  tooManyLines: [554, "5.6.0", "The mail has more than 300,000 lines"],
  nestedTooDeep: [554, "5.6.0", "The mail has parts inside parts more than 8 deep, or mails inside mails"],
  textTooLong: [554, "5.6.0", "The mail has more than 50,000 characters of text"],
  unreadable: [554, "5.6.0", "The mail could not be read"],
  tooManyAttachments: [554, "5.7.1", "The mail has more than 20 attachments"],
  attachmentsTooLarge: [552, "5.3.4", "The attachments are larger than 10 MB in total"],
  attachmentType: [
    554,
    "5.7.1",
    "An attachment is of a type that we do not take: send pictures (PNG, JPEG, GIF, WebP, HEIC), PDF or plain text",
  ],
  infected: [554, "5.7.1", "An attachment was refused by the virus scanner"],
  answerPending: [550, "5.7.1", "Please wait for our answer before you write more"],
  noSender: [554, "5.7.1", "The mail names no author who could be answered"],
  tooManyRecipients: [452, "4.5.3", "One recipient at a time"],
  tooManyMails: [451, "4.7.1", "Too many mails from this sender: try again later"],
  unavailable: [451, "4.3.0", "The mail cannot be taken now: try again later"],
  closing: [421, "4.3.2", "Closing: try again later"],
} as const satisfies Record<string, readonly [reply: number, enhanced: string, text: string]>;

export function refusal(code: MailRefusalCode): Refusal {
  const [reply, enhanced, text] = refusals[code];
  return { code, reply, enhanced, text };
}

/** What adapters tell of. */
export type MailWatch = {
  taken(): void;
  refused(code: MailRefusalCode): void;
  /** A mailbox was read, or could not be. */
  read(wasRead: boolean): void;
};

export type MailLimits = { readonly [Name in keyof typeof mailLimits]: number };
