import { type Html, html } from "../../../mail/html.ts";
import { sandboxPage } from "../../sandbox/sandbox-page.ts";
import { shownTime } from "../../sandbox/shown-time.ts";
import type { CapturedMail } from "./mail-server.ts";

/** All mail, newest first. */
export const mailListPage = (mails: readonly CapturedMail[]): Html =>
  sandboxPage(
    "Mail",
    html`<p class="lead">Mail that the product sent, newest first: the last 200, in memory only. Mail to an address at <code>bounce.example</code> is refused, as a wrong address would be.</p>
${
  mails.length === 0
    ? html`<p class="empty">No mail yet. A confirmation arrives here when an order is paid.</p>`
    : html`<ul class="list">${mails.map(
        (mail) =>
          html`<li><a href="/sandbox/mail/${mail.id}">${mail.subject}</a><p class="meta">To ${mail.to} · ${shownTime(mail.receivedAt)}</p></li>`,
      )}</ul>`
}`,
  );

/** One mail as its reader sees it, and its plain text. Links open beside it; nothing in it can run. */
export const mailPage = (mail: CapturedMail): Html =>
  sandboxPage(
    mail.subject,
    html`<p class="lead">To ${mail.to} · ${shownTime(mail.receivedAt)} · <a href="/sandbox/mail">All mail</a></p>
<iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${mail.html}`}"></iframe>
<details><summary>The same as plain text</summary><pre>${mail.text}</pre></details>
<p class="meta">Message-ID <code>${mail.messageId}</code></p>`,
  );
