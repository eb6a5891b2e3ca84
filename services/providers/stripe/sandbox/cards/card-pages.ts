import { type Html, html } from "../../../../documents/mail/html.ts";
import type { Intent } from "../intent.ts";

const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

const document = (
  title: string,
  bodyClass: string,
  origins: readonly string[],
  body: Html,
): Html => html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/card-frame.css">
</head>
<body class="${bodyClass}" data-page-origins="${origins.join(" ")}">
${body}
</body>
</html>`;

const field = (
  id: string,
  label: string,
  autocomplete: string,
  placeholder: string,
  length: number,
): Html => html`
<div class="Field" id="${id}-field">
<label class="Label" for="${id}">${label}</label>
<input class="Input" id="${id}" type="text" inputmode="numeric" autocomplete="${autocomplete}" placeholder="${placeholder}" maxlength="${length}" aria-describedby="${id}-error" spellcheck="false" required>
<p class="Error" id="${id}-error" aria-live="polite"></p>
</div>`;

/** The card fields, shown in a frame. `pageOrigins` lists the origins its script may talk to. */
export const cardPage = (pageOrigins: readonly string[]): Html =>
  document(
    "Card details",
    "card",
    pageOrigins,
    html`<form id="card" novalidate aria-label="Card details">
${field("card-number", "Card number", "cc-number", "1234 1234 1234 1234", 23)}
${field("card-expiry", "Expiry date", "cc-exp", "MM / YY", 7)}
${field("card-code", "Security code", "cc-csc", "CVC", 4)}
</form>
<p class="Sandbox">Sandbox: no money moves. Pay with <b>4242 4242 4242 4242</b>, be declined with <b>4000 0000 0000 0002</b>, try 3-D Secure with <b>4000 0025 0000 3155</b>; any later date, any code.</p>
<script type="module" src="/card-frame.js"></script>`,
  );

const open = (intent: Intent): Html => html`
<p>Your bank would ask you here to confirm a payment of <strong>${pounds(intent.amount)}</strong>. This is a sandbox: there is no bank, and no money moves.</p>
<form method="post" action="/challenge">
<input type="hidden" name="clientSecret" value="${intent.clientSecret}">
<button class="Button" name="outcome" value="complete">Complete authentication</button>
<button class="Button Button--quiet" name="outcome" value="fail">Fail authentication</button>
</form>`;

const ended = html`<p>This payment needs no authentication. Go back to the page you came from.</p>`;

export const challengePage = (intent: Intent): Html =>
  document(
    "3-D Secure (sandbox)",
    "challenge",
    [],
    html`<main class="Panel"><h1>3-D Secure</h1>${intent.status === "requires_action" ? open(intent) : ended}</main>`,
  );
