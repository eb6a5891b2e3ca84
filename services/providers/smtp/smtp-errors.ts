import { z } from "zod";
import { type MailFault, MailRefused, MailUnavailable } from "./mailer.ts";

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
export function mailFaultOf(error: unknown): MailRefused | MailUnavailable {
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
