import { randomUUID } from "node:crypto";
import { createTransport, type SendMailOptions } from "nodemailer";
import { z } from "zod";

/** A mail that the sandbox keeps, as far as an answer to it needs. */
export type AnsweredMail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
  readonly references: string;
  /** Where bounces go; "" for nowhere. */
  readonly envelopeFrom: string;
  /** Where replies go. */
  readonly replyTo: string;
  readonly receivedAt: Date;
};

const bounceChoice = z.enum(["unknown", "full", "spam"]);

/** How a mail can bounce. */
export const bounces: Readonly<Record<z.output<typeof bounceChoice>, { label: string; reply: string }>> = {
  unknown: { label: "No such mailbox", reply: "550 5.1.1 There is no such mailbox" },
  full: { label: "Mailbox full", reply: "552 5.2.2 The mailbox is full" },
  spam: { label: "Refused as spam", reply: "550 5.7.1 Refused as spam" },
};

/** What a mail's recipient, or their server, does with it. */
export const mailReturn = z.discriminatedUnion("as", [
  z.object({ as: z.literal("reply"), text: z.string().trim().min(1, "Write a reply").max(100_000) }),
  z.object({ as: z.literal("away") }),
  z.object({ as: z.literal("bounce"), how: bounceChoice.default("unknown") }),
  z.object({ as: z.literal("complaint") }),
]);
export type MailReturn = z.output<typeof mailReturn>;

/** Where the product takes mail in. */
export type ReturnPlace = {
  readonly host: string;
  readonly port: number;
  readonly protocol: "lmtp" | "smtp";
};

/** Sends a return to the product. @returns the reply of its mail server */
export async function sendReturn(place: ReturnPlace, mail: AnsweredMail, what: MailReturn): Promise<string> {
  const { host, port, protocol } = place;
  const lmtp = protocol === "lmtp";
  const transport = createTransport({
    host,
    port,
    lmtp,
    secure: false,
    ignoreTLS: true,
    socketTimeout: 30_000,
  });
  try {
    const { response } = await transport.sendMail(write(mail, what));
    return response;
  } catch (error) {
    const refusal = refusalOf.safeParse(error);
    if (!refusal.success) throw error;
    return refusal.data.response;
  } finally {
    transport.close();
  }
}

const refusalOf = z.object({ response: z.string().min(1), responseCode: z.int() });

function write(mail: AnsweredMail, what: MailReturn): SendMailOptions {
  switch (what.as) {
    case "reply": {
      const subject = mail.subject.startsWith("Re: ") ? mail.subject : `Re: ${mail.subject}`;
      return { ...answerTo(mail), subject, text: `${what.text}\n\n${quoteOf(mail)}` };
    }
    case "away":
      return {
        ...answerTo(mail),
        // RFC 3834: to the envelope's sender, and from nobody, so that nothing answers it.
        envelope: fromNobody(mail),
        subject: `Out of office: ${mail.subject}`,
        headers: { "Auto-Submitted": "auto-replied" },
        text: "I am away until Monday and will read your email then.",
      };
    case "bounce":
      return { envelope: fromNobody(mail), raw: bounceOf(mail, bounces[what.how].reply) };
    case "complaint":
      return { envelope: fromNobody(mail), raw: complaintOf(mail) };
    default:
      return what satisfies never;
  }
}

const fromNobody = ({ envelopeFrom }: AnsweredMail) => ({ from: "", to: envelopeFrom });

const answerTo = ({ to, replyTo, messageId, references }: AnsweredMail) => ({
  from: to,
  to: replyTo,
  inReplyTo: messageId,
  references: `${references} ${messageId}`.trim(),
});

function quoteOf({ text, receivedAt, replyTo }: AnsweredMail): string {
  const lines = text.split("\n").map((line) => `> ${line}`.trimEnd());
  return [`On ${receivedAt.toUTCString()}, ${replyTo} wrote:`, ...lines].join("\n");
}

/** The headers by which a report says which mail it returns. */
const returnedHeaders = (mail: AnsweredMail): string[] => [
  `Return-Path: <${mail.envelopeFrom}>`,
  `Reply-To: ${mail.replyTo}`,
  `To: ${mail.to}`,
  `Message-ID: ${mail.messageId}`,
];

/** RFC 3464. */
function bounceOf(mail: AnsweredMail, reply: string): string {
  return reportOf(mail, {
    kind: "delivery-status",
    subject: "Undelivered Mail Returned to Sender",
    words: `Your email could not be delivered to ${mail.to}:\n${reply}`,
    type: "message/delivery-status",
    fields: [
      "Reporting-MTA: dns; mail.sandbox.example",
      "",
      `Final-Recipient: rfc822; ${mail.to}`,
      "Action: failed",
      `Status: ${reply.split(" ")[1]}`,
      `Diagnostic-Code: smtp; ${reply}`,
    ],
  });
}

/** RFC 5965. */
function complaintOf(mail: AnsweredMail): string {
  return reportOf(mail, {
    kind: "feedback-report",
    subject: `Complaint about: ${mail.subject}`,
    words: "The recipient of this email reported it as spam.",
    type: "message/feedback-report",
    fields: ["Feedback-Type: abuse", "User-Agent: Sandbox/1.0", "Version: 1"],
  });
}

type Report = {
  readonly kind: string;
  readonly subject: string;
  readonly words: string;
  readonly type: string;
  readonly fields: readonly string[];
};

function reportOf(mail: AnsweredMail, { kind, subject, words, type, fields }: Report): string {
  const boundary = `report-${randomUUID()}`;
  return [
    "From: Mail Delivery System <mailer-daemon@mail.sandbox.example>",
    `To: ${mail.envelopeFrom}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
    `Message-ID: <${randomUUID()}@mail.sandbox.example>`,
    `Date: ${new Date().toUTCString()}`,
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${kind}; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    words,
    `--${boundary}`,
    `Content-Type: ${type}`,
    "",
    ...fields,
    "",
    `--${boundary}`,
    "Content-Type: text/rfc822-headers",
    "",
    ...returnedHeaders(mail),
    "",
    `--${boundary}--`,
    "",
  ].join("\r\n");
}
