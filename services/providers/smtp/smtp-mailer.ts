import { createTransport } from "nodemailer";
import { z } from "zod";
import { type Mailer, type MailFault, MailRefused, MailUnavailable } from "./mailer.ts";

export type SmtpSettings = {
  host: string;
  port: number;
  /** `whole`: TLS from the first byte; `upgrade`: STARTTLS, and no log-in and no mail without it; `none`: only on this machine. */
  tls: "whole" | "upgrade" | "none";
  login?: { readonly user: string; readonly password: string } | undefined;
  /** To whom undeliverable mail comes back, where that is not the sender people see. */
  envelopeFrom?: string | undefined;
  /** The sender people see, asked for each mail. */
  from: () => { name: string; address: string };
  /** Hears of what mends itself by no waiting. */
  log?: { error(facts: object, words: string): void } | undefined;
  /** For connecting, greeting and each silence. */
  timeoutMs?: number;
  /** Authorities that are trusted instead of the usual ones, in PEM. */
  ca?: string;
};

const operatorsFaults: ReadonlySet<MailFault> = new Set<MailFault>([
  "loginRefused",
  "senderRefused",
  "notEncrypted",
  "certificateRefused",
]);

/** Any SMTP server, through a small pool of connections. */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const transport = createTransport(transportOptions(settings));
  return {
    send: async ({ to, subject, text, html, messageId }) => {
      const from = settings.from();
      try {
        await transport.sendMail({
          from,
          // As an object, so that a comma in it cannot make two receivers of one.
          to: { name: "", address: to },
          ...(settings.envelopeFrom !== undefined && {
            envelope: { from: settings.envelopeFrom, to: { name: "", address: to } },
          }),
          subject,
          text,
          html,
          messageId: `<${messageId.includes("@") ? messageId : `${messageId}@${domainOf(from.address)}`}>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        const fault = mailFaultOf(error);
        if (fault instanceof MailUnavailable && operatorsFaults.has(fault.code)) {
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
    maxConnections: 4,
    maxMessages: 100,
    // The jobs try again, later and later, and know what was sent; a pool that did so besides would hide it.
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

/** What nodemailer tells of a failure, as far as we decide by it. */
const failure = z.object({
  code: z.string().optional(),
  originalCode: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
  responseCode: z.int().optional(),
});
type Failure = z.output<typeof failure>;

/** "Log in first" and "I do not relay for you", which is about us, whoever the receiver is: https://www.rfc-editor.org/rfc/rfc4954 section 6. */
const notOurServer = new Set([530, 534, 535, 538]);
const relayDenied = /\brelay/i;

/**
 * What a failed mail comes to.
 * - The receiver was refused for good: they get none, and no other try.
 * - The mail was refused for what it says: that is a fault of ours, which the log should show.
 * - Anything else may work later. Who we are to the server (log-in, sender, encryption) is not the customer's fault: once it is
 *   mended, their mail goes.
 */
function mailFaultOf(error: unknown): MailRefused | MailUnavailable {
  const parsed = failure.safeParse(error);
  if (!parsed.success) return new MailUnavailable("unreachable");
  return refusalOf(parsed.data) ?? new MailUnavailable(faultOf(parsed.data), parsed.data.responseCode);
}

function refusalOf({ code, command, response = "", responseCode }: Failure): MailRefused | undefined {
  // The address could not even be written into an envelope.
  if (responseCode === undefined) return code === "EENVELOPE" ? new MailRefused("addressRefused") : undefined;
  if (responseCode < 500 || notOurServer.has(responseCode)) return undefined;
  if (command?.startsWith("RCPT"))
    return relayDenied.test(response) ? undefined : new MailRefused("addressRefused");
  return command === "DATA" ? new MailRefused("contentRefused") : undefined;
}

function faultOf({ code, originalCode = "", command, responseCode = 0 }: Failure): MailFault {
  if (isCertificateFault(originalCode)) return "certificateRefused";
  if (responseCode >= 400 && responseCode < 500) return "askedToWait";
  if (code === "ETLS" || noTls.test(originalCode) || command === "STARTTLS" || command === "EHLO")
    return "notEncrypted";
  if (code === "EAUTH" || code === "ENOAUTH" || notOurServer.has(responseCode)) return "loginRefused";
  return responseCode >= 500 ? "senderRefused" : "unreachable";
}

/** What came was no TLS, or none that both sides know. */
const noTls = /^(ERR_SSL_|EPROTO$)/;

/** As OpenSSL and Node name them: self-signed, unknown issuer, out of date, another host's. */
const isCertificateFault = (code: string): boolean =>
  /CERT|^ERR_TLS_CERT|UNABLE_TO_(GET|VERIFY)|SELF_SIGNED/.test(code);
