/** An outgoing mail. `messageId` is derived from its event, so a repeat is recognisable. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** The conversation that mail programs show it in; an id of the same shape. */
  thread: string;
  /** Where replies and bounces come back to; undefined: to the visible sender, and to the envelope's as configured. */
  returnTo?: string | undefined;
};

/** Port of the mail server. Tries once: automatic work retries. */
export interface Mailer {
  /**
   * @throws MailRefused when the server refused the address or the content for good: it is not tried again
   * @throws MailUnavailable when the server could not be reached, asked to try later, or refuses us; the same mail may
   * succeed later
   */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The server refused the recipient, or the mail once it had all of it: many report an unknown recipient only then. */
export type MailRefusal = "addressRefused" | "contentRefused";

export class MailRefused extends Error {
  override name = "MailRefused";
  readonly code: MailRefusal;
  /** The server's reply code, such as 550; undefined without one. */
  readonly reply: number | undefined;
  constructor(code: MailRefusal, reply?: number) {
    super(`The mail server refused: ${code}.`);
    this.code = code;
    this.reply = reply;
  }
}

/** Why a mail could not be sent. The last four need an operator; waiting does not help. */
export type MailFault =
  | "unreachable"
  | "askedToWait"
  | "loginRefused"
  | "senderRefused"
  | "notEncrypted"
  | "certificateRefused";

/** Holds nothing of the mail: servers' answers repeat addresses, so they are left out. */
export class MailUnavailable extends Error {
  override name = "MailUnavailable";
  readonly code: MailFault;
  /** The server's reply code, such as 451; undefined without one. */
  readonly reply: number | undefined;
  constructor(code: MailFault, reply?: number) {
    super(`The mail server did not take the mail: ${code}${reply === undefined ? "" : ` (${reply})`}.`);
    this.code = code;
    this.reply = reply;
  }
}
