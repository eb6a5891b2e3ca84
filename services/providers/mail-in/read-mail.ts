import { createHash } from "node:crypto";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import type { AttachmentType } from "../../../domain/ticket/vocabulary.ts";
import { attachmentName, attachmentTypeOf } from "./attachment-type.ts";
import { type Authentication, authenticationOf } from "./authentication-results.ts";
import { foldQuotes } from "./fold-quotes.ts";
import { textOfHtml } from "./html-text.ts";
import { mailLimits } from "./limits.ts";
import { type ArrivedMail, type MailRefusalCode, type Refusal, refusal } from "./mail-in.ts";
import { kindOf, type MailKind } from "./mail-kind.ts";

/** What a mail says, once read within the limits. */
export type ReadMail = {
  /** What its author's program named it by; servers on the way keep that. */
  readonly identity: string;
  /** Without angle brackets. */
  readonly messageId: string | null;
  /** Proves nothing. */
  readonly from: { readonly name: string; readonly email: string } | null;
  readonly subject: string;
  /** What its author wrote; empty for a report. */
  readonly text: string;
  /** Quotes and signature; empty without. */
  readonly quoted: string;
  readonly attachments: readonly ReadAttachment[];
  readonly kind: MailKind;
  /** What the named server found; null where it added nothing. */
  readonly authentication: Authentication | null;
};

export type ReadAttachment = {
  readonly name: string;
  readonly type: AttachmentType;
  readonly bytes: Uint8Array;
};

/** Reads a mail, or says why it is refused. Pure: loads, runs and writes nothing. */
export async function readMail(
  mail: Pick<ArrivedMail, "envelopeFrom" | "raw">,
  { authServer }: { readonly authServer: string | undefined },
): Promise<ReadMail | Refusal> {
  const tooMuch = exceeds(mail.raw);
  if (tooMuch !== undefined) return refusal(tooMuch);
  const parsed = await parse(mail.raw);
  if (typeof parsed === "string") return refusal(parsed);
  const whole = wholeText(parsed);
  const kind = kindOf(parsed, mail.envelopeFrom, whole);
  const isReport = kind.as !== "written" && kind.as !== "automatic";
  const attachments = isReport ? [] : attachmentsOf(parsed.attachments);
  if (typeof attachments === "string") return refusal(attachments);
  const { text, quoted } = isReport ? { text: "", quoted: "" } : foldQuotes(whole);
  if (text.length > mailLimits.textCharacters) return refusal("textTooLong");
  return {
    identity: messageIdOf(parsed) ?? `${parsed.date ?? ""} ${parsed.subject ?? ""}`,
    messageId: messageIdOf(parsed),
    from: senderOf(parsed),
    subject: oneLine(parsed.subject ?? "", 300),
    text,
    quoted: quoted.slice(0, mailLimits.textCharacters),
    attachments,
    kind,
    authentication: authenticationOf(parsed.headers, authServer),
  };
}

/** The headers of a mail; none if they exceed the limits, for which it is refused. */
export async function headersOf(raw: Uint8Array): Promise<Email["headers"]> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const parsed = await parse(bytes.subarray(0, bodyStart(bytes)));
  return typeof parsed === "string" ? [] : parsed.headers;
}

/** What can be told before anything is parsed: a bomb is refused for its size in parts. */
function exceeds(raw: Uint8Array): MailRefusalCode | undefined {
  if (raw.byteLength > mailLimits.rawBytes) return "tooLarge";
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (bodyStart(bytes) > mailLimits.headerBytes) return "headersTooLarge";
  if (linesOf(bytes) > mailLimits.lines) return "tooManyLines";
  return partsOf(bytes.toString("latin1")) > mailLimits.parts ? "tooManyParts" : undefined;
}

/** Where the body begins, beyond the blank line; the end if there is none. */
function bodyStart(bytes: Buffer): number {
  const [crlf, lf] = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")];
  const ends = [crlf === -1 ? Infinity : crlf + 4, lf === -1 ? Infinity : lf + 2];
  return Math.min(...ends, bytes.length);
}

function linesOf(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** Lines that begin a part, of every boundary that is declared anywhere. */
function partsOf(mail: string): number {
  const boundaries = new Set<string>();
  for (const [, quoted, bare] of mail.matchAll(
    /boundary[^=\r\n]{0,20}=\s{0,20}(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi,
  )) {
    boundaries.add((quoted ?? bare ?? "").trimEnd());
  }
  let parts = 0;
  for (let at = mail.indexOf("\n--"); at !== -1; at = mail.indexOf("\n--", at + 3)) {
    const line = mail.slice(at + 3, at + 203).split(/[\r\n]/, 1)[0] ?? "";
    if (boundaries.has(line.trimEnd())) parts += 1;
  }
  return parts;
}

async function parse(raw: Uint8Array): Promise<Email | MailRefusalCode> {
  try {
    const parsed = await PostalMime.parse(raw, {
      maxNestingDepth: mailLimits.nesting,
      maxHeadersSize: mailLimits.headerBytes,
      maxRfc822NestingDepth: mailLimits.mailsInMails,
    });
    return parsed.attachments.some(({ rfc822DepthExceeded }) => rfc822DepthExceeded)
      ? "nestedTooDeep"
      : parsed;
  } catch (error) {
    const says = error instanceof Error ? error.message : "";
    if (says.startsWith("Maximum header size")) return "headersTooLarge";
    return says.startsWith("Maximum MIME nesting") ? "nestedTooDeep" : "unreadable";
  }
}

/** The plain part; the HTML one where there is no other, or an empty one. */
function wholeText({ text = "", html = "" }: Email): string {
  const plain = text.trim() === "" ? textOfHtml(html.slice(0, mailLimits.htmlCharacters)) : text;
  return plain.replace(invisible, "");
}

/** Controls, and the marks that let a text look like another, but tabs and line ends. */
const invisible = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const oneLine = (text: string, longest: number): string =>
  text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, longest);

function messageIdOf({ messageId }: Email): string | null {
  return (
    /<([^<>\s]{1,300})>/.exec(messageId ?? "")?.[1] ?? /^[^<>\s]{1,300}$/.exec(messageId ?? "")?.[0] ?? null
  );
}

function senderOf({ from }: Email): ReadMail["from"] {
  if (from?.address === undefined || !/^[^\s@]+@[^\s@]+$/.test(from.address) || from.address.length > 254)
    return null;
  return { name: oneLine(from.name, 100), email: from.address };
}

/** Hex digest of identity, envelope sender, recipient and body: the same for a mail that comes again. */
export function digestOf(mail: ArrivedMail, { identity }: Pick<ReadMail, "identity">): string {
  const bytes = Buffer.from(mail.raw.buffer, mail.raw.byteOffset, mail.raw.byteLength);
  return createHash("sha256")
    .update(JSON.stringify([identity, mail.envelopeFrom, mail.recipient.toLowerCase()]))
    .update(bytes.subarray(bodyStart(bytes)))
    .digest("hex");
}

/** Signatures, invitations and Outlook's own wrapping: they stay in the original. */
const leftOut = new Set([
  "application/pgp-signature",
  "application/pgp-keys",
  "application/pkcs7-signature",
  "application/x-pkcs7-signature",
  "application/ms-tnef",
  "application/vnd.ms-tnef",
  "application/ics",
  "text/calendar",
  "text/x-amp-html",
]);

function attachmentsOf(parts: readonly Attachment[]): ReadAttachment[] | MailRefusalCode {
  const given = parts
    .filter(({ mimeType, filename }) => !leftOut.has(mimeType) && filename?.toLowerCase() !== "winmail.dat")
    .map(({ filename, content }) => ({ filename, bytes: bytesOf(content) }))
    .filter(({ bytes }) => bytes.byteLength > 0);
  if (given.length > mailLimits.attachments) return "tooManyAttachments";
  if (given.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > mailLimits.attachmentBytes)
    return "attachmentsTooLarge";
  const attachments: ReadAttachment[] = [];
  for (const { filename, bytes } of given) {
    const type = attachmentTypeOf(bytes);
    if (type === undefined) return "attachmentType";
    attachments.push({ name: attachmentName(filename, type), type, bytes });
  }
  return attachments;
}

const bytesOf = (content: Attachment["content"]): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
