/** A mail as it leaves the house. `messageId` is derived from the event it tells of, so a repeat is recognisable. */
export type Mail = { to: string; subject: string; text: string; html: string; messageId: string };

/** The port of the mail server. */
export interface Mailer {
  /**
   * @throws MailRefused when the server refused the address for good
   * @throws MailUnavailable when it could not be reached or asked to try later
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
export class MailUnavailable extends Error {
  override name = "MailUnavailable";
}
