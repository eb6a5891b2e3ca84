import { once } from "node:events";
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from "smtp-server";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { mailLimits } from "./limits.ts";
import {
  type ArrivedMail,
  type MailIn,
  type MailLimits,
  type MailRefusalCode,
  type MailWatch,
  type Reception,
  type Refusal,
  refusal,
} from "./mail-in.ts";

type ListenerSettings = {
  /** In LMTP each recipient has an answer of its own; in SMTP one answer is for all. */
  readonly protocol: "lmtp" | "smtp";
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Several addresses may be of one mailbox, which has a mail once; a recipient without one is refused. */
  readonly mailboxOf: (address: string) => string | undefined;
  readonly watch?: Pick<MailWatch, "taken" | "refused">;
  readonly log: { error(facts: object, words: string): void };
  readonly limits?: Partial<Pick<MailLimits, "rawBytes" | "connections" | "silenceMs" | "transferMs">>;
};

type Receive = (mail: ArrivedMail) => Promise<Reception>;

/** Takes mail from the operator's own mail server, on a private address: no log-in, no TLS. */
export function createSmtpListener(settings: ListenerSettings): MailIn {
  const limits = { ...mailLimits, ...settings.limits };
  const underWay = new Set<Promise<void>>();
  /** Of transactions under way, by connection. */
  const leavings = new Map<string, AbortController>();
  let closing = false;
  let receive: Receive = async () => refused("unavailable");
  const refusing = (code: MailRefusalCode): Error => {
    settings.watch?.refused(code);
    return replyOf(refusal(code));
  };
  const unlessClosing = (_: unknown, __: unknown, done: (error?: Error | null) => void) =>
    done(closing ? refusing("closing") : null);
  const server = new SMTPServer({
    ...optionsOf(settings, limits),
    onMailFrom: unlessClosing,
    onRcptTo: ({ address }, { envelope }, done) => {
      // An answer in SMTP is for all recipients: the others come in transactions of their own.
      const most = settings.protocol === "lmtp" ? limits.recipients : 1;
      if (settings.mailboxOf(address) === undefined) done(refusing("noSuchMailbox"));
      else done(envelope.rcptTo.length < most ? null : refusing("tooManyRecipients"));
    },
    onData: (stream, session, done: Done) => {
      const leaving = new AbortController();
      leavings.set(session.id, leaving);
      const transaction = receptionsOf(stream, session, leaving.signal)
        .then((receptions) => done(null, receptions.map(answerOf)))
        .finally(() => {
          underWay.delete(transaction);
          leavings.delete(session.id);
        });
      underWay.add(transaction);
    },
    onClose: ({ id }) => leavings.get(id)?.abort(),
  });

  /** One for each recipient; none when the other side left, for it will send the mail again. */
  async function receptionsOf(
    stream: SMTPServerDataStream,
    { id, envelope }: SMTPServerSession,
    left: AbortSignal,
  ): Promise<Reception[]> {
    const late = setTimeout(() => endConnection(server, id), limits.transferMs);
    const raw = await bytesOf(stream, limits.rawBytes).finally(() => clearTimeout(late));
    if (raw === "left") return [];
    const envelopeFrom = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
    const receptions = new Map<string, Reception>();
    const mailboxes = envelope.rcptTo.map(({ address }) => settings.mailboxOf(address) ?? address);
    for (const recipient of new Set(mailboxes)) {
      const reception =
        raw === "tooLarge" ? refused("tooLarge") : await received({ envelopeFrom, recipient, raw, left });
      if (left.aborted) return [];
      receptions.set(recipient, reception);
    }
    return mailboxes.map((recipient) => receptions.get(recipient) ?? refused("unavailable"));
  }

  async function received(mail: ArrivedMail): Promise<Reception> {
    try {
      return await receive(mail);
    } catch (error) {
      if (!mail.left?.aborted)
        settings.log.error({ err: error }, "a mail that came in could not be recorded; it will come again");
      return refused("unavailable");
    }
  }

  function answerOf(reception: Reception): string | Error {
    if (reception.kind === "refused") return refusing(reception.code);
    settings.watch?.taken();
    return "2.0.0 Taken";
  }

  // A connection that breaks is the other side's to make again.
  server.on("error", () => undefined);
  let listening: MailIn["listening"];
  return {
    start: async (receiver) => {
      receive = receiver;
      server.listen(settings.port, settings.host);
      await once(server.server, "listening").catch((cause: unknown) => {
        throw new OperatorError(
          `MAIL_IN_URL: nothing can listen on port ${settings.port} of ${settings.host} (${String(cause)}). Only one process takes a port: leave MAIL_IN_URL empty for the others, and keep MAIL_IN_ADDRESS.`,
          { cause },
        );
      });
      const address = server.server.address();
      if (address === null || typeof address === "string") throw new Error("The mail listener has no port.");
      listening = { host: settings.host, port: address.port };
    },
    stop: async () => {
      closing = true;
      listening = undefined;
      while (underWay.size > 0) await Promise.all(underWay);
      await new Promise<void>((done) => server.close(done));
    },
    get listening() {
      return listening;
    },
  };
}

const refused = (code: Parameters<typeof refusal>[0]): Reception => ({ kind: "refused", ...refusal(code) });

function optionsOf({ protocol }: ListenerSettings, limits: MailLimits): SMTPServerOptions {
  return {
    lmtp: protocol === "lmtp",
    disabledCommands: ["AUTH", "STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: limits.rawBytes,
    maxClients: limits.connections,
    socketTimeout: limits.silenceMs,
    // Only idle connections are left when the server closes.
    closeTimeout: 50,
  };
}

/** The mail's bytes; "left" when the other side did so before their end. */
async function bytesOf(
  stream: SMTPServerDataStream,
  most: number,
): Promise<Uint8Array | "tooLarge" | "left"> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
    }
  } catch {
    return "left";
  }
  return length > most ? "tooLarge" : Buffer.concat(chunks);
}

/** One result a recipient in LMTP; its types know of one alone. */
type Done = (error?: Error | null, results?: (string | Error)[]) => void;

/** The library's connections have no types. */
function endConnection({ connections }: SMTPServer, id: string): void {
  for (const connection of connections)
    if (connection.id === id) connection.send(421, "4.4.2 The mail took too long");
}

const replyOf = ({ reply, enhanced, text }: Refusal): Error =>
  Object.assign(new Error(`${enhanced} ${text}`), { responseCode: reply });
