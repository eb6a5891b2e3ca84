import { createTransport } from "nodemailer";
import { type Mailer, type MailFault, MailUnavailable } from "./mailer.ts";
import { mailFaultOf } from "./smtp-errors.ts";

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
