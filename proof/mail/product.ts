import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { z } from "zod";
import { WrongExpectedRevision } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { createImapMailbox } from "../../services/providers/mail-in/imap-mailbox.ts";
import type { ArrivedMail, Reception } from "../../services/providers/mail-in/mail-in.ts";
import { createMailReader } from "../../services/providers/mail-in/mail-reader.ts";
import { digestOf } from "../../services/providers/mail-in/read-mail.ts";
import { createSmtpListener } from "../../services/providers/mail-in/smtp-listener.ts";
import { mailboxLogin } from "../../testing/mail-servers/dovecot-fixture.ts";

// The process that the proof kills: both ways by which mail comes in, before a log in Postgres.

// The proof has ended.
process.on("disconnect", () => process.exit());

const { values } = parseArgs({ options: { to: { type: "string" } } });
const { connectionString, lmtpPort, imapPort, forgets } = z
  .object({
    connectionString: z.string(),
    lmtpPort: z.number(),
    imapPort: z.number(),
    /** Control: acknowledges every tenth mail without recording it. */
    forgets: z.boolean(),
  })
  .parse(JSON.parse(values.to ?? ""));

const store = createPostgresEventStore({ pool: createPool(connectionString), connectionString });
const { read } = createMailReader({ authServer: undefined, scanner: undefined });

async function receive(mail: ArrivedMail): Promise<Reception> {
  const found = await read(mail);
  if ("reply" in found) return { kind: "refused", ...found };
  const digest = digestOf(mail, found);
  if (forgets && digest.startsWith("0")) return { kind: "taken" };
  try {
    await store.append({
      stream: `mail-${digest}`,
      expectedRevision: "none",
      events: [{ id: randomUUID(), type: "MailTaken", data: { recipient: mail.recipient }, metadata: {} }],
    });
  } catch (error) {
    // The same mail again: it was recorded, and its acknowledgement lost.
    if (!(error instanceof WrongExpectedRevision)) throw error;
  }
  return { kind: "taken" };
}

const log = { error: () => undefined, info: () => undefined };
await createSmtpListener({
  protocol: "lmtp",
  host: "127.0.0.1",
  port: lmtpPort,
  mailboxOf: (address) => (address.endsWith("@certificates.example") ? address : undefined),
  log,
}).start(receive);
await createImapMailbox({
  host: "127.0.0.1",
  port: imapPort,
  tls: false,
  login: mailboxLogin,
  folder: "INBOX",
  address: "help@mailbox.example",
  mailboxOf: (address) => (address.endsWith("@mailbox.example") ? address : undefined),
  log,
  waitMs: () => 200,
}).start(receive);
process.send?.("ready");
