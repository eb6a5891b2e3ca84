import { createTransport } from "nodemailer";
import { z } from "zod";
import { type Mailer, type MailFault, type MailRefusal, MailRefused, MailUnavailable } from "./mailer.ts";

type SmtpSettings = {
  host: string;
  port: number;
  /**
   * `whole`: TLS from the first byte; `upgrade`: STARTTLS, required before log-in and mail; `none`: only on this
   * machine.
   */
  tls: "whole" | "upgrade" | "none";
  login?: { readonly user: string; readonly password: string } | undefined;
  /** Receives bounces of mail without a return address of its own, if not the visible sender. */
  envelopeFrom?: string | undefined;
  /** The visible sender, read for each mail. */
  from: () => { name: string; address: string };
  /** Receives errors that need an operator. */
  log?: { error(facts: object, words: string): void } | undefined;
  /** For connecting, the greeting and each silence. */
  timeoutMs?: number;
  /** Trusted authorities instead of the usual ones, in PEM. */
  ca?: string;
};

const operatorsFaults: ReadonlySet<MailFault | MailRefusal> = new Set<MailFault | MailRefusal>([
  "contentRefused",
  "loginRefused",
  "senderRefused",
  "notEncrypted",
  "certificateRefused",
]);

export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const transport = createTransport(transportOptions(settings));
  return {
    send: async ({ to, subject, text, html, messageId, thread, returnTo }) => {
      const from = settings.from();
      const idOf = (id: string) => `<${id.includes("@") ? id : `${id}@${domainOf(from.address)}`}>`;
      const sender = returnTo ?? settings.envelopeFrom;
      try {
        await transport.sendMail({
          from,
          // As an object, so a comma cannot make two recipients.
          to: { name: "", address: to },
          ...(sender !== undefined && { envelope: { from: sender, to: { name: "", address: to } } }),
          ...(returnTo !== undefined && { replyTo: { name: from.name, address: returnTo } }),
          subject,
          text,
          html,
          messageId: idOf(messageId),
          references: idOf(thread),
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        const fault = mailFaultOf(error);
        if (operatorsFaults.has(fault.code)) {
          settings.log?.error(
            { fault: fault.code, reply: fault.reply },
            "the mail server does not take our mail",
          );
        }
        throw fault;
      }
    },
    close: async () => transport.close(),
  };
}

function transportOptions({ host, port, tls, login, timeoutMs = 10_000, ca }: SmtpSettings) {
  return {
    host,
    port,
    secure: tls === "whole",
    requireTLS: tls === "upgrade",
    ignoreTLS: tls === "none",
    tls: { minVersion: "TLSv1.2" as const, rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    pool: true as const,
    // As many as a worker sends at a time: one that waits in this pool would leave after its heartbeat was looked at.
    maxConnections: 8,
    maxMessages: 100,
    // Automatic work retries with growing delays and knows what was sent; requeuing in the pool would hide it.
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A template must never be able to attach a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** The fields of nodemailer's errors that we use. */
const failure = z.object({
  code: z.string().optional(),
  originalCode: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
  responseCode: z.int().optional(),
});
type Failure = z.output<typeof failure>;

/**
 * "Log in first" and "relaying denied" concern us, not the recipient: https://www.rfc-editor.org/rfc/rfc4954
 * section 6.
 */
const notOurServer = new Set([530, 534, 535, 538]);
const relayDenied = /\brelay/i;

/**
 * Classifies a failed mail.
 * - The recipient was refused for good: the mail is undeliverable, without another try.
 * - The content was refused: so is the mail; perhaps an error of ours, so it is logged.
 * - Anything else may succeed later. Our own standing with the server (log-in, sender, encryption) is not the
 * customer's error: once fixed, their mail is sent.
 */
function mailFaultOf(error: unknown): MailRefused | MailUnavailable {
  const parsed = failure.safeParse(error);
  if (!parsed.success) return new MailUnavailable("unreachable");
  return refusalOf(parsed.data) ?? new MailUnavailable(faultOf(parsed.data), parsed.data.responseCode);
}

function refusalOf({ code, command, response = "", responseCode }: Failure): MailRefused | undefined {
  // The address could not even be written into an envelope.
  if (responseCode === undefined) return code === "EENVELOPE" ? new MailRefused("addressRefused") : undefined;
  if (responseCode < 500 || notOurServer.has(responseCode) || relayDenied.test(response)) return undefined;
  if (command?.startsWith("RCPT")) return new MailRefused("addressRefused", responseCode);
  return command === "DATA" ? new MailRefused("contentRefused", responseCode) : undefined;
}

function faultOf({ code, originalCode = "", command, responseCode = 0 }: Failure): MailFault {
  if (isCertificateFault(originalCode)) return "certificateRefused";
  if (responseCode >= 400 && responseCode < 500) return "askedToWait";
  if (code === "ETLS" || noTls.test(originalCode) || command === "STARTTLS" || command === "EHLO")
    return "notEncrypted";
  if (code === "EAUTH" || code === "ENOAUTH" || notOurServer.has(responseCode)) return "loginRefused";
  return responseCode >= 500 ? "senderRefused" : "unreachable";
}

/** The answer was not TLS, or of no common version. */
const noTls = /^(ERR_SSL_|EPROTO$)/;

/** As OpenSSL and Node name them: self-signed, unknown issuer, expired, another host's. */
const isCertificateFault = (code: string): boolean =>
  /CERT|^ERR_TLS_CERT|UNABLE_TO_(GET|VERIFY)|SELF_SIGNED/.test(code);
