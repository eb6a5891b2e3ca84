/** A mail as it leaves the house. `messageId` is derived from the event it tells of, so a repeat is recognisable. */
export type Mail = { to: string; subject: string; text: string; html: string; messageId: string };

/** The port of the mail server. It tries once: trying again is the job's. */
export interface Mailer {
  /**
   * @throws MailRefused when the server refused the address, or what the mail says, for good
   * @throws MailUnavailable when it could not be reached, asked to try later, or does not want us; the same mail may go later
   */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

export class MailRefused extends Error {
  override name = "MailRefused";
  readonly code: "addressRefused" | "contentRefused";
  constructor(code: "addressRefused" | "contentRefused") {
    super(`The mail server refused: ${code}.`);
    this.code = code;
  }
}

/** Why a mail could not be handed over. The last four mend themselves by no waiting: somebody has to. */
export type MailFault =
  | "unreachable"
  | "askedToWait"
  | "loginRefused"
  | "senderRefused"
  | "notEncrypted"
  | "certificateRefused";

/** Tells nothing of the mail: what servers answer repeats addresses, and so is left out. */
export class MailUnavailable extends Error {
  override name = "MailUnavailable";
  readonly code: MailFault;
  /** What the server answered, such as 451; undefined when it did not. */
  readonly reply: number | undefined;
  constructor(code: MailFault, reply?: number) {
    super(`The mail server did not take the mail: ${code}${reply === undefined ? "" : ` (${reply})`}.`);
    this.code = code;
    this.reply = reply;
  }
}
