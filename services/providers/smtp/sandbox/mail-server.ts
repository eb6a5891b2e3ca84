import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import type { Log } from "../../../../infra/process/log.ts";
import type { Latest } from "../../sandbox/latest.ts";

export type CapturedMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  receivedAt: Date;
  messageId: string;
};

export type MailServer = {
  /** Listens for mail; 0 takes any free port. */
  start: (host: string, port: number) => Promise<{ host: string; port: number }>;
  stop: () => Promise<void>;
};

const largestMailBytes = 1_000_000;
/** Addresses here are refused, to try out undeliverable mail. */
const bouncingDomain = "@bounce.example";

const hangUps = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** A mail server that keeps mail instead of passing it on. */
export function createMailServer(parts: {
  captured: Latest<CapturedMail>;
  now: () => Date;
  newId: () => string;
  log: Pick<Log, "error">;
}): MailServer {
  const server = new SMTPServer({
    name: "mail.sandbox.example",
    disabledCommands: ["AUTH", "STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: largestMailBytes,
    maxClients: 50,
    socketTimeout: 30_000,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => {
      const refused = address.toLowerCase().endsWith(bouncingDomain);
      callback(refused ? Object.assign(new Error("No such mailbox"), { responseCode: 550 }) : null);
    },
    onData: (stream, session, callback) => {
      capture(stream)
        .then((mail) => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
          parts.captured.add({ ...mail, to, id: parts.newId(), receivedAt: parts.now() });
          callback(null);
        })
        .catch((error: Error) => callback(error));
    },
  });
  server.on("error", (error: NodeJS.ErrnoException) => {
    // Client disconnects are expected; other errors are ours.
    if (!hangUps.has(error.code ?? "")) parts.log.error({ err: error }, "the mail sandbox failed");
  });
  return {
    start: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve({ host, port: portOf(server.server.address()) });
        });
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function capture(stream: SMTPServerDataStream) {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  if (stream.sizeExceeded) {
    throw Object.assign(new Error("The mail is too large"), { responseCode: 552 });
  }
  const mail = await PostalMime.parse(Buffer.concat(chunks));
  return {
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    messageId: mail.messageId ?? "",
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return address.port;
}
