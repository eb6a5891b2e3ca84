import { type RequestHandler, Router } from "express";
import type { Log } from "../../../../infra/process/log.ts";
import { Latest } from "../../sandbox/latest.ts";
import { sandboxPolicy } from "../../sandbox/sandbox-page.ts";
import { mailListPage, mailPage } from "./mail-pages.ts";
import { type CapturedMail, createMailServer, type MailServer } from "./mail-server.ts";

export type Mailbox = MailServer & {
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

/** A mail server in a box: what the product sends ends here, to be read. */
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
        .send("No such mail: it was one of the older ones, or the sandbox was restarted.\n");
  });
  return { routes, start: server.start, stop: server.stop };
}
