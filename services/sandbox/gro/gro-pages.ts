import { type Html, html } from "../../mail/html.ts";
import { sandboxPage } from "../sandbox-page.ts";
import type { Mode } from "./behaviour.ts";
import type { Received } from "./register.ts";

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nested fields as a list of terms; the sandbox knows nothing of their meaning. */
function fields(tree: Readonly<Record<string, unknown>>): Html {
  return html`<dl>${Object.entries(tree).map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${isTree(value) ? fields(value) : String(value ?? "—")}</dd></div>`,
  )}</dl>`;
}

const card = ({ submission, groOrderReference, acceptedAt }: Received): Html => html`
<article class="card">
<h2>${submission.certificateType} certificate, ${submission.serviceLevel}, ${submission.copies} ${submission.copies === 1 ? "copy" : "copies"}</h2>
<p class="meta">Order <code>${submission.orderNumber}</code> · GRO reference <code>${groOrderReference}</code> · accepted <time datetime="${acceptedAt.toISOString()}">${acceptedAt.toISOString()}</time></p>
<details><summary>Application</summary>${fields(submission.application)}</details>
<details><summary>Contact</summary>${fields(submission.contact)}</details>
<p class="meta">Key <code>${submission.key}</code></p>
</article>`;

/** What the GRO received, newest first. */
export const groPage = (received: readonly Received[], mode: Mode): Html =>
  sandboxPage(
    "What the GRO received",
    html`<p class="lead">Applications that reached the stand-in for the automation service, newest first: the last 200, in memory only. It now answers with <strong>${mode}</strong>.</p>
${received.length === 0 ? html`<p class="empty">Nothing yet. An application arrives here some seconds after an order is paid.</p>` : received.map(card)}`,
  );
