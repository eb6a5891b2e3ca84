import { type Html, html } from "../../../documents/mail/html.ts";
import { sandboxPage, shownTime } from "../../sandbox/sandbox-page.ts";
import type { Mode } from "./behaviour.ts";
import type { NoticeKind, Received } from "./register.ts";

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
${Object.entries(noticeNames).map(([kind, name]) => html`<button name="kind" value="${kind}">${name}</button>`)}</form>
<p class="meta">Key <code>${key}</code></p>
</article>`;

const modes = (current: Mode): Html => html`
<form class="modes" method="post" action="/sandbox/gro/behaviour" aria-label="How it treats the next applications">
${Object.entries(modeNames).map(([mode, name]) => html`<button name="mode" value="${mode}" aria-pressed="${String(mode === current)}">${name}</button>`)}</form>`;

/** What the GRO received, newest first, with buttons to act as the GRO. */
export const groPage = (received: readonly Received[], current: Mode): Html =>
  sandboxPage(
    "What the GRO received",
    html`<p class="lead">Applications received by the simulated automation service, newest first: the last 200, in memory only. For the next applications:</p>
${modes(current)}
${received.length === 0 ? html`<p class="empty">Nothing yet. An application arrives here a few seconds after an order is paid.</p>` : received.map(card)}`,
  );
