import type { AddressInfo } from "node:net";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import { z } from "zod";
import type { Log } from "../../../../infra/process/log.ts";
import { type Html, html } from "../../../documents/mail/html.ts";
import {
  Latest,
  ownFormsOnly,
  refuseNull,
  sandboxPage,
  sandboxPolicy,
  shownTime,
} from "../../sandbox/http-server.ts";
import { type AnsweredMail, bounces, mailReturn, type ReturnPlace, sendReturn } from "./returns.ts";

type Mailbox = MailServer & {
  /** `/mail` and `/mail/{id}`; for this machine only. */
  routes: Router;
  /** The product takes mail in here now. */
  returnTo: (place: ReturnPlace) => void;
};

const mailJson = ({ to, subject, text, html, receivedAt, messageId }: CapturedMail) => ({
  to,
  subject,
  text,
  html,
  receivedAt: receivedAt.toISOString(),
  messageId,
});

/** The mail sandbox: keeps the product's mail for reading. */
export function createMailbox(parts: {
  fromHere: RequestHandler;
  now: () => Date;
  newId: () => string;
  log: Pick<Log, "error">;
}): Mailbox {
  const captured = new Latest<CapturedMail>(200);
  const server = createMailServer({ ...parts, captured });
  let place: ReturnPlace | undefined;
  const found = (request: Request, response: Response): CapturedMail | undefined => {
    const mail = captured.all.find(({ id }) => id === request.params.id);
    if (mail) return mail;
    response
      .status(404)
      .type("text/plain")
      .send("There is no such email: it was too old, or the sandbox was restarted.\n");
    return undefined;
  };
  const routes = Router();
  const bodies = [express.json({ limit: "200kb" }), express.urlencoded({ extended: false, limit: "200kb" })];
  routes.use("/mail", parts.fromHere, ownFormsOnly, ...bodies, refuseNull, (_request, response, next) => {
    response.set({
      "Content-Security-Policy": sandboxPolicy("own forms"),
      "Cache-Control": "no-store",
      Vary: "Accept",
    });
    next();
  });
  routes.get("/mail", (request, response) => {
    if (request.accepts(["html", "json"]) === "json") response.json(captured.all.map(mailJson));
    else response.type("html").send(mailListPage(captured.all).markup);
  });
  routes.get("/mail/:id", (request, response) => {
    const mail = found(request, response);
    if (mail) response.type("html").send(mailPage(mail, place !== undefined).markup);
  });
  routes.post("/mail/:id/returns", async (request, response) => {
    const mail = found(request, response);
    if (!mail) return;
    const what = mailReturn.safeParse(request.body);
    if (!what.success) return void response.status(422).json({ issues: z.prettifyError(what.error) });
    if (!place) return void response.status(409).json({ issues: "The product takes no mail in." });
    const reply = await sendReturn(place, mail, what.data);
    if (!request.is("urlencoded")) return void response.json({ reply });
    return void response.type("html").send(mailPage(mail, true, reply).markup);
  });
  return {
    routes,
    returnTo: (where) => {
      place = where;
    },
    start: server.start,
    stop: server.stop,
  };
}

const mailListPage = (mails: readonly CapturedMail[]): Html =>
  sandboxPage(
    "Mail",
    html`<p class="lead">Mail sent by the product, newest first: the last 200, in memory only. Mail to <code>bounce.example</code> is refused, like mail to a wrong address.</p>
${
  mails.length === 0
    ? html`<p class="empty">No emails yet. A confirmation arrives here when an order is paid.</p>`
    : html`<ul class="list">${mails.map(
        (mail) =>
          html`<li><a href="/sandbox/mail/${mail.id}">${mail.subject}</a><p class="meta">To ${mail.to} · ${shownTime(mail.receivedAt)} · <a class="inline" href="/sandbox/mail/${mail.id}#returns" aria-label="Reply, bounce, out of office: ${mail.subject}">Reply, bounce, out of office</a></p></li>`,
      )}</ul>`
}`,
  );

/** One mail as its reader sees it, and its plain text. Links open in a new tab; scripts do not run. */
const mailPage = (mail: CapturedMail, canReturn: boolean, reply?: string): Html =>
  sandboxPage(
    mail.subject,
    html`${reply === undefined ? "" : html`<p class="card" role="status">The product’s mail server answered: <code>${reply}</code></p>`}<p class="lead">To ${mail.to} · ${shownTime(mail.receivedAt)} · <a href="/sandbox/mail">All mail</a></p>
<iframe title="The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${mail.html}`}"></iframe>
<details><summary>The same as plain text</summary><pre>${mail.text}</pre></details>
${canReturn ? returnForms(mail) : html`<p class="meta">Nothing can come back: the product takes no mail in.</p>`}
<p class="meta">Message-ID <code>${mail.messageId}</code></p>`,
  );

/** What the recipient and their server may do. */
function returnForms({ id, to, envelopeFrom }: CapturedMail): Html {
  const form = (label: string, body: Html) =>
    html`<form method="post" action="/sandbox/mail/${id}/returns" aria-label="${label}">${body}</form>`;
  const bounce = html`<label>Because <select name="how">${Object.entries(bounces).map(
    ([how, { label }]) => html`<option value="${how}">${label}</option>`,
  )}</select></label><button name="as" value="bounce">Bounce</button>`;
  return html`<section id="returns" class="card" aria-labelledby="returns-title"><h2 id="returns-title">Answer as ${to}</h2>
${form("Reply", html`<label class="wide">Your reply<textarea name="text" rows="4" required maxlength="100000"></textarea></label><button name="as" value="reply">Reply</button>`)}
${
  envelopeFrom === ""
    ? ""
    : html`${form("Bounce", bounce)}${form(
        "Automatic",
        html`<button name="as" value="away">Out of office</button><button name="as" value="complaint">Report as spam</button>`,
      )}`
}</section>`;
}

type CapturedMail = AnsweredMail & { readonly id: string; readonly html: string };

type MailServer = {
  /** Listens for mail; 0 takes any free port. */
  start: (host: string, port: number) => Promise<{ host: string; port: number }>;
  stop: () => Promise<void>;
};

const largestMailBytes = 1_000_000;
/** Addresses here are refused, to try out undeliverable mail. */
const bouncingDomain = "@bounce.example";

const hangUps = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** A mail server that keeps mail instead of passing it on. */
function createMailServer(parts: {
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
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map(({ address }) => address).join(", ");
          const envelopeFrom = mailFrom ? mailFrom.address : "";
          parts.captured.add({ ...mail, to, envelopeFrom, id: parts.newId(), receivedAt: parts.now() });
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
    references: mail.references ?? "",
    replyTo: mail.replyTo?.[0]?.address ?? mail.from?.address ?? "",
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return address.port;
}
