import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { groNoticeMessage } from "../../../../contract/providers/notices.ts";
import { mostQuestionCharacters } from "../../../../domain/forms/sealed-records.ts";
import type { Log } from "../../../../infra/process/log.ts";
import { type Html, html } from "../../../documents/mail/html.ts";
import {
  hasNull,
  holdsNull,
  ownFormsOnly,
  refuseNull,
  sandboxPage,
  sandboxPolicy,
  shownTime,
  statusOfUnreadable,
} from "../../sandbox/http-server.ts";
import {
  inquiryMessage,
  inquiryPath,
  statusMessage,
  statusPath,
  submissionMessage,
  submissionPath,
} from "../automation-protocol.ts";
import {
  type Acceptance,
  Behaviour,
  behaviourChange,
  type Mode,
  type NoticeKind,
  noticeCopies,
  type Received,
  type Register,
} from "./register.ts";

const signatureHeaders = z.object({
  "webhook-id": z.string(),
  "webhook-timestamp": z.string(),
  "webhook-signature": z.string(),
});

const answerJson = ({ groOrderReference, acceptedAt }: Acceptance) => ({
  groOrderReference,
  acceptedAt: acceptedAt.toISOString(),
});

/** The automation service's HTTP side. Reads signed requests only. */
function createAutomationServer(parts: {
  register: Register;
  behaviour: Behaviour;
  secret: string;
  log: Pick<Log, "error">;
}): Express {
  const { register, behaviour } = parts;
  const webhook = new Webhook(parts.secret);
  const app = express().disable("x-powered-by").disable("etag");
  app.use(express.text({ type: "application/json", limit: "128kb" }));
  app.use((request, response, next) => {
    response.locals.message = verified(webhook, request);
    if (response.locals.message === undefined) return response.status(401).json({ code: "unauthorized" });
    if (holdsNull(request) || hasNull(response.locals.message))
      return response.status(422).json({ code: "invalid" });
    return next();
  });
  app.post(submissionPath, (_request, response) => submit(register, behaviour, response));
  app.post(inquiryPath, async (_request, response) => {
    const inquiry = inquiryMessage.safeParse(response.locals.message);
    if (!inquiry.success) return response.status(422).json({ code: "invalid" });
    if (behaviour.current === "silent") return undefined;
    const acceptance = await register.settle(inquiry.data.key);
    return response.json(
      acceptance ? { state: "accepted", ...answerJson(acceptance) } : { state: "unknown" },
    );
  });
  app.post(statusPath, async (_request, response) => {
    const asked = statusMessage.safeParse(response.locals.message);
    if (!asked.success) return response.status(422).json({ code: "invalid" });
    const names = asked.data.submissions.map((name) => ("key" in name ? name.key : name.groOrderReference));
    const found = await register.findAll(names);
    return response.json({ submissions: await Promise.all(found.map((one) => statusOf(register, one))) });
  });
  app.use(answerFaults(parts.log));
  return app;
}

async function statusOf(register: Register, acceptance: Acceptance | undefined) {
  if (!acceptance) return { state: "unknown" };
  const latest = await register.latest(acceptance.key);
  return { state: "accepted", ...answerJson(acceptance), latest: latest ?? null };
}

/** The message of a correctly signed request, otherwise undefined. */
function verified(webhook: Webhook, request: Request): unknown {
  try {
    return webhook.verify(z.string().parse(request.body), signatureHeaders.parse(request.headers));
  } catch {
    return undefined;
  }
}

async function submit(register: Register, behaviour: Behaviour, response: Response): Promise<void> {
  const submission = submissionMessage.safeParse(response.locals.message);
  if (!submission.success) {
    response.status(422).json({ code: "invalid" });
    return;
  }
  const mode = behaviour.next();
  if (mode === "fail") {
    response.status(500).json({});
    return;
  }
  if (mode === "reject") {
    response.status(422).json({ code: "rejected" });
    return;
  }
  const accepted = await register.accept(submission.data, noticeCopies(mode));
  // Another application under an accepted key: the GRO has the first, so this is not a refusal.
  if (accepted === "conflict") response.status(409).json({});
  else if (accepted === "expired" || accepted === "closed") response.status(410).json({ code: accepted });
  else if (mode !== "timeout" && mode !== "silent") response.json(answerJson(accepted));
}

const answerFaults =
  (log: Pick<Log, "error">): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    const unreadable = statusOfUnreadable(error);
    if (unreadable !== undefined) return void response.status(unreadable).json({ code: "invalid" });
    log.error({ fault: error instanceof Error ? error.name : "unknown" }, "the GRO sandbox failed");
    response.status(500).json({});
  };

const noticeRequest = z
  .strictObject({
    orderNumber: z.string(),
    key: z.string(),
    kind: groNoticeMessage.shape.kind,
    question: groNoticeMessage.shape.question,
  })
  .partial({ orderNumber: true, key: true });

export type AutomationService = {
  behaviour: Behaviour;
  /** `/gro` to read, `/gro/behaviour` and `/gro/notices` to control; for this machine only. */
  routes: Router;
  /** For the product; reads signed requests only. */
  api: Express;
};

const receivedJson = ({ submission, groOrderReference, acceptedAt }: Received) => ({
  ...submission,
  groOrderReference,
  acceptedAt: acceptedAt.toISOString(),
});

/** The automation service's sandbox: its API, and a page of what the GRO received. */
export function createAutomationService(parts: {
  register: Register;
  secret: string;
  fromHere: RequestHandler;
  log: Pick<Log, "error">;
}): AutomationService {
  const { register, secret, log } = parts;
  const behaviour = new Behaviour();
  return {
    behaviour,
    routes: groRoutes(register, behaviour, parts.fromHere),
    api: createAutomationServer({ register, behaviour, secret, log }),
  };
}

/** A form's sender is redirected to the page; a program gets the answer. */
function answer(request: Request, response: Response, status: number, body: object): void {
  if (status < 300 && request.is("urlencoded")) response.redirect(303, "/sandbox/gro");
  else response.status(status).json(body);
}

function groRoutes(register: Register, behaviour: Behaviour, fromHere: RequestHandler): Router {
  const routes = Router();
  routes.use(
    "/gro",
    fromHere,
    ownFormsOnly,
    express.json({ limit: "32kb" }),
    express.urlencoded({ extended: false, limit: "32kb" }),
    refuseNull,
  );
  routes.get("/gro", (request, response) => {
    response.set({ "Cache-Control": "no-store", Vary: "Accept" });
    if (request.accepts(["html", "json"]) === "json") {
      response.json(register.received.map(receivedJson));
      return;
    }
    response.set("Content-Security-Policy", sandboxPolicy("own forms")).type("html");
    response.send(groPage(register.received, behaviour.current).markup);
  });
  routes.post("/gro/behaviour", (request, response) => {
    const change = behaviourChange.safeParse(request.body);
    if (!change.success) return answer(request, response, 422, { issues: z.prettifyError(change.error) });
    behaviour.set(change.data);
    return answer(request, response, 200, change.data);
  });
  routes.post("/gro/notices", async (request, response) => {
    const wanted = noticeRequest.safeParse(request.body);
    if (!wanted.success) return answer(request, response, 422, { issues: z.prettifyError(wanted.error) });
    const acceptance = await register.find(wanted.data.key ?? wanted.data.orderNumber ?? "");
    if (!acceptance) return answer(request, response, 404, { issues: "No such submission was accepted." });
    const copies = noticeCopies(behaviour.current);
    const { kind, question } = wanted.data;
    const noticeIds = await register.notify(
      acceptance.key,
      kind,
      copies,
      kind === "queried" ? question : undefined,
    );
    return answer(request, response, 202, { key: acceptance.key, noticeIds });
  });
  return routes;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nested fields as a definition list; the sandbox does not interpret them. */
function fields(tree: Readonly<Record<string, unknown>>): Html {
  return html`<dl>${Object.entries(tree).map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${isTree(value) ? fields(value) : String(value ?? "—")}</dd></div>`,
  )}</dl>`;
}

const noticeNames: Readonly<Record<NoticeKind, string>> = {
  dispatched: "Despatch the certificate",
  queried: "Ask a question",
  notFound: "Record not found",
};
const modeNames: Readonly<Record<Mode, string>> = {
  ok: "Accept",
  fail: "Fail",
  timeout: "Accept, never answer",
  silent: "Accept, never answer, not even inquiries",
  answerTwice: "Call back twice",
  reject: "Refuse",
  loseNotices: "Lose its notices",
};

const card = ({ submission, groOrderReference, acceptedAt, key }: Received): Html => html`
<article class="card">
<h2>${submission.certificateType} certificate, ${submission.serviceLevel}, ${submission.copies} ${submission.copies === 1 ? "copy" : "copies"}</h2>
<p class="meta">Order <code>${submission.orderNumber}</code> · GRO reference <code>${groOrderReference}</code> · accepted ${shownTime(acceptedAt)}</p>
<details><summary>Application</summary>${fields(submission.application)}</details>
<details><summary>Contact</summary>${fields(submission.contact)}</details>
<form method="post" action="/sandbox/gro/notices"><input type="hidden" name="key" value="${key}">
<label>Text of a question (optional) <textarea name="question" rows="2" maxlength="${mostQuestionCharacters}"></textarea></label>
${Object.entries(noticeNames).map(([kind, name]) => html`<button name="kind" value="${kind}">${name}</button>`)}</form>
<p class="meta">Key <code>${key}</code></p>
</article>`;

const modes = (current: Mode): Html => html`
<form class="modes" method="post" action="/sandbox/gro/behaviour" aria-label="How it treats the next applications">
${Object.entries(modeNames).map(([mode, name]) => html`<button name="mode" value="${mode}" aria-pressed="${String(mode === current)}">${name}</button>`)}</form>`;

/** What the GRO received, newest first, with buttons to act as the GRO. */
const groPage = (received: readonly Received[], current: Mode): Html =>
  sandboxPage(
    "What the GRO received",
    html`<p class="lead">Applications received by the simulated automation service, newest first: the last 200, in memory only. For the next applications:</p>
${modes(current)}
${received.length === 0 ? html`<p class="empty">Nothing yet. An application arrives here a few seconds after an order is paid.</p>` : received.map(card)}`,
  );
