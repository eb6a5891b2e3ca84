import { mostOriginalBytes } from "../../../domain/ticket/message-parts.ts";

/** What a mail that comes in may have. More is refused at SMTP, never taken and cut; docs/operations/limits.md lists it. */
export const mailLimits = {
  rawBytes: mostOriginalBytes,
  /** Together, decoded. */
  attachmentBytes: 10_000_000,
  attachments: 20,
  parts: 50,
  /** What reading takes depends on them: some 3 to 7 s of CPU for the most. */
  lines: 300_000,
  nesting: 8,
  /** A mail inside a mail inside a mail. */
  mailsInMails: 2,
  headerBytes: 65_536,
  /** Of the author's own text. Quoted text beyond it is left to the original. */
  textCharacters: 50_000,
  htmlCharacters: 2_000_000,
  /** Of a transaction in LMTP. */
  recipients: 50,
  /** Connections at a time; one more is told to come back. */
  connections: 20,
  /** Of a connection, or between two pieces of a mail. */
  silenceMs: 60_000,
  /** From the first byte of a mail to its last. */
  transferMs: 30_000,
  /** Mails that wait to be read; for the last it takes 8 minutes at most, and its sender waits 10 (RFC 5321, 4.5.3.2.6). */
  waiting: 15,
  /** To be read. */
  readMs: 30_000,
  readMegabytes: 512,
} as const;
