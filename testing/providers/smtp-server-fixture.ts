import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { selfSignedCertificate } from "../infra/certificate-fixture.ts";

type ReceivedMail = {
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  readonly encrypted: boolean;
  readonly subject: string;
  readonly fromName: string;
  readonly fromAddress: string;
  readonly messageId: string;
  readonly references: string;
  readonly replyTo: string | undefined;
  readonly text: string;
};

/** A real SMTP server with a self-signed certificate for TLS. */
export type SmtpServerInTest = {
  readonly port: number;
  /** The certificate to trust. */
  readonly ca: string;
  readonly received: ReceivedMail[];
  readonly logins: { readonly user: string; readonly password: string }[];
  /** Replies to the next recipients, one each, such as "451 4.7.1 Greylisted"; later ones are accepted. */
  readonly refusals: string[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

const login = { user: "postman", password: "correct horse" };

/** An SMTP reply in smtp-server's form: an error with the reply code. */
const reply = (line: string): Error =>
  Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) });

export async function startSmtpServer(more: SMTPServerOptions = {}, certifiedFor = "localhost") {
  const { cert, key } = selfSignedCertificate(certifiedFor);
  const received: ReceivedMail[] = [];
  const logins: SmtpServerInTest["logins"][number][] = [];
  const refusals: string[] = [];
  let connections = 0;
  const server = new SMTPServer({
    cert,
    key,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 50,
    onConnect: (_session, callback) => {
      connections += 1;
      callback();
    },
    onAuth: ({ username, password }, _session, callback) => {
      logins.push({ user: username ?? "", password: password ?? "" });
      if (username === login.user && password === login.password) callback(null, { user: username });
      else callback(reply(`535 5.7.8 ${username} is not authorised`));
    },
    onRcptTo: (_address, _session, callback) => {
      const refusal = refusals.shift();
      callback(refusal === undefined ? null : reply(refusal));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          envelopeFrom: mailFrom ? mailFrom.address : "",
          envelopeTo: rcptTo.map(({ address }) => address),
          encrypted: session.secure,
          subject: mail.subject ?? "",
          fromName: mail.from?.name ?? "",
          fromAddress: mail.from?.address ?? "",
          messageId: mail.messageId ?? "",
          references: mail.references ?? "",
          replyTo: mail.replyTo?.[0]?.address,
          text: mail.text?.trim() ?? "",
        });
        callback();
      });
    },
    ...more,
  });
  // Tests make clients hang up or reject the certificate.
  server.on("error", () => undefined);
  const listening = server.listen(0, "localhost");
  await once(listening, "listening");
  const made: SmtpServerInTest = {
    port: portOf(listening.address()),
    ca: cert,
    received,
    logins,
    refusals,
    connections: () => connections,
    close: () => new Promise((done) => server.close(() => done())),
  };
  return made;
}

const spoken: Readonly<Record<string, string>> = {
  EHLO: "250 here",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
};

/** A server that works up to a point, without TLS, and then hangs up or goes silent. */
export async function startBrokenServer(at: "greeting" | "data" | "body", how: "cut" | "silent") {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const stop = () => (how === "cut" ? socket.destroy() : undefined);
    if (at === "greeting") return stop();
    let inBody = false;
    socket.write("220 here\r\n");
    socket.on("data", (bytes) => {
      const verb = bytes.toString("latin1").slice(0, 4).toUpperCase();
      if (inBody || (at === "data" && verb === "DATA")) return stop();
      inBody = verb === "DATA";
      return socket.write(`${spoken[verb] ?? "250 ok"}\r\n`);
    });
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

export const goodLogin = login;
