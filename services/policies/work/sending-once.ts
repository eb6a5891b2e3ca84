import type { Mailer } from "../../providers/smtp/mailer.ts";

/** Mails kept in mind, by their ids: far more than can be on their way. */
const most = 10_000;

/** The mailer, which sends no mail twice: of one that has left, and could not be recorded, only the record is repeated. */
export function sendingOnce(mailer: Mailer): Mailer {
  const sent = new Set<string>();
  return {
    send: async (mail) => {
      if (sent.has(mail.messageId)) return;
      await mailer.send(mail);
      sent.add(mail.messageId);
      const [oldest] = sent;
      if (sent.size > most && oldest !== undefined) sent.delete(oldest);
    },
    close: () => mailer.close(),
  };
}
