import { type RequestHandler, Router } from "express";
import type { Log } from "../../../../infra/process/log.ts";
import { type Html, html } from "../../../documents/mail/html.ts";
import { Latest } from "../../sandbox/latest.ts";
import { sandboxPage, sandboxPolicy, shownTime } from "../../sandbox/sandbox-page.ts";
import { type CapturedMail, createMailServer, type MailServer } from "./mail-server.ts";

type Mailbox = MailServer & {
  /** `/mail` and `/mail/{id}`; for this machine only. */
  routes: Router;
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
  const routes = Router();
  routes.use("/mail", parts.fromHere, (_request, response, next) => {
    response.set({
      "Content-Security-Policy": sandboxPolicy("no forms"),
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
    const mail = captured.all.find(({ id }) => id === request.params.id);
    if (mail) response.type("html").send(mailPage(mail).markup);
    else
      response
        .status(404)
        .type("text/plain")
        .send("There is no such email: it was too old, or the sandbox was restarted.\n");
  });
  return { routes, start: server.start, stop: server.stop };
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
          html`<li><a href="/sandbox/mail/${mail.id}">${mail.subject}</a><p class="meta">To ${mail.to} · ${shownTime(mail.receivedAt)}</p></li>`,
      )}</ul>`
}`,
  );

/** One mail as its reader sees it, and its plain text. Links open in a new tab; scripts do not run. */
const mailPage = (mail: CapturedMail): Html =>
  sandboxPage(
    mail.subject,
    html`<p class="lead">To ${mail.to} · ${shownTime(mail.receivedAt)} · <a href="/sandbox/mail">All mail</a></p>
<iframe title="The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${mail.html}`}"></iframe>
<details><summary>The same as plain text</summary><pre>${mail.text}</pre></details>
<p class="meta">Message-ID <code>${mail.messageId}</code></p>`,
  );
