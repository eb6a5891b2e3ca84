import { createTransport } from "nodemailer";
import { z } from "zod";
import { type Mailer, MailRefused, MailUnavailable } from "./mailer.ts";

export type SmtpSettings = {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS is used where the server offers it. */
  secure?: boolean;
  user?: string;
  password?: string;
  /** The sender people see, asked for each mail. */
  from: () => { name: string; address: string };
  /** For connecting, greeting and each silence. */
  timeoutMs?: number;
};

/** Any SMTP server, through a small pool of connections. */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const timeoutMs = settings.timeoutMs ?? 10_000;
  const { host, port, user, password } = settings;
  const transport = createTransport({
    host,
    port,
    secure: settings.secure ?? false,
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    pool: true,
    maxConnections: 4,
    maxMessages: 100,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A template must never be able to attach a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text, html, messageId }) => {
      const from = settings.from();
      try {
        await transport.sendMail({
          from,
          // As an object, so that a comma in it cannot make two receivers of one.
          to: { name: "", address: to },
          subject,
          text,
          html,
          messageId: `<${messageId.includes("@") ? messageId : `${messageId}@${domainOf(from.address)}`}>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        throw (
          refusalOf(error) ?? new MailUnavailable("The mail server did not take the mail.", { cause: error })
        );
      }
    },
    close: async () => transport.close(),
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

const smtpFault = z.object({ responseCode: z.int(), command: z.string() });
/** The address could not even be written into an envelope. */
const envelopeFault = z.object({ code: z.literal("EENVELOPE") });

/**
 * A permanent answer about this receiver or this mail. What is our own fault (log-in, sender) stays "unavailable": the
 * customer's address is not to blame, and it works once the operator has mended it.
 */
function refusalOf(error: unknown): MailRefused | undefined {
  const answer = smtpFault.safeParse(error);
  if (!answer.success) {
    return envelopeFault.safeParse(error).success ? new MailRefused("addressRefused") : undefined;
  }
  const { responseCode, command } = answer.data;
  if (responseCode < 500) return undefined;
  if (command.startsWith("RCPT")) return new MailRefused("addressRefused");
  return command === "DATA" ? new MailRefused("contentRefused") : undefined;
}
