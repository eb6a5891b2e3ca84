import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ErrorRequestHandler, Express, Request, Response } from "express";
import express from "express";
import { z } from "zod";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import type { Log } from "../../../../infra/process/log.ts";
import { type Html, html } from "../../../documents/mail/html.ts";
import { refuseNull } from "../../sandbox/http-server.ts";
import { parse } from "./answering.ts";
import { answerOfCard, expiredCard, type Intent, readIntentOf, StripeRefusal } from "./intents.ts";
import type { Ledger } from "./ledger.ts";
import { failureJson, publicIntent, refusalJson } from "./presenting.ts";

const assets = {
  "card-frame.js": "text/javascript",
  "card-fields.js": "text/javascript",
  "card-number.js": "text/javascript",
  "card-appearance.js": "text/javascript",
  "card-frame.css": "text/css",
} as const;

const cardPayment = z.object({
  publishableKey: z.string(),
  clientSecret: z.string(),
  number: z.string().regex(/^\d{12,19}$/),
  expiryMonth: z.int().min(1).max(12),
  expiryYear: z.int().min(2000).max(2099),
  securityCode: z.string().regex(/^\d{3,4}$/),
  returnUrl: z.url().nullable(),
});
const challengeQuestion = z.object({ client_secret: z.string() });
const challengeAnswer = z.object({ clientSecret: z.string(), outcome: z.enum(["complete", "fail"]) });

type Parts = {
  pool: Pool;
  ledger: Ledger;
  publishableKey: string;
  pageOrigins: () => readonly string[];
  now: () => Date;
  log: Pick<Log, "error">;
};

/**
 * The card fields' separate origin, so the page around them never sees a card number. A number lives only for its
 * request: it is compared with the test cards and dropped.
 */
export function createCardServer(parts: Parts): Express {
  const app = express().disable("x-powered-by").disable("etag");
  app.use((_request, response, next) => {
    response.set(headersFor(parts.pageOrigins()));
    next();
  }, refuseNull);
  app.get("/card", (_request, response) => {
    response.type("html").send(cardPage(parts.pageOrigins()).markup);
  });
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/${name}`, async (_request, response) => {
      response.type(type).send(await readFile(join(import.meta.dirname, "browser", name)));
    });
  }
  app.post("/confirm", express.json({ limit: "4kb" }), refuseNull, (request, response) =>
    confirm(parts, request, response),
  );
  app.get("/challenge", async (request, response) => {
    const { client_secret: clientSecret } = parse(challengeQuestion, request.query);
    response.type("html").send(challengePage(await readIntentOf(parts.pool, clientSecret)).markup);
  });
  app.post(
    "/challenge",
    express.urlencoded({ extended: false, limit: "4kb" }),
    refuseNull,
    (request, response) => endChallenge(parts, request, response),
  );
  app.use(answerFaults(parts.log));
  return app;
}

function headersFor(origins: readonly string[]): Record<string, string> {
  const pages = origins.join(" ");
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // The challenge form is answered with a redirect to the page, which this directive governs too.
    `form-action 'self' ${pages}`,
    `frame-ancestors ${pages || "'none'"}`,
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  };
}

async function confirm(parts: Parts, request: Request, response: Response): Promise<void> {
  const wanted = parse(cardPayment, request.body);
  if (wanted.publishableKey !== parts.publishableKey) {
    throw new StripeRefusal(401, "Invalid API Key provided.");
  }
  const returnUrl = wanted.returnUrl && allowedReturn(wanted.returnUrl, parts.pageOrigins());
  const answer = hasExpired(wanted, parts.now()) ? expiredCard : answerOfCard(wanted.number);
  const intent = await parts.ledger.chargeCard(wanted.clientSecret, answer, returnUrl);
  response.json(outcomeOf(intent));
}

const hasExpired = (card: { expiryYear: number; expiryMonth: number }, now: Date): boolean =>
  card.expiryYear * 12 + card.expiryMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;

function outcomeOf(intent: Intent): JsonObject {
  const paymentIntent = publicIntent(intent);
  if (intent.status === "requires_action") {
    const query = new URLSearchParams({ client_secret: intent.clientSecret });
    return { paymentIntent, challengePath: `/challenge?${query}` };
  }
  if (intent.failure) return { error: { ...failureJson(intent.failure), payment_intent: paymentIntent } };
  return { paymentIntent };
}

/** Return addresses must be our own pages. */
function allowedReturn(address: string, origins: readonly string[]): string {
  if (!origins.includes(new URL(address).origin)) {
    throw new StripeRefusal(400, "The return_url is not a page that this sandbox serves.");
  }
  return address;
}

async function endChallenge(parts: Parts, request: Request, response: Response): Promise<void> {
  const { clientSecret, outcome } = parse(challengeAnswer, request.body);
  const read = () => readIntentOf(parts.pool, clientSecret);
  const { returnUrl } = await read();
  const intent = await parts.ledger.authenticate(read, outcome === "complete");
  if (!returnUrl) {
    response.type("html").send(challengePage(intent).markup);
    return;
  }
  const back = new URL(returnUrl);
  back.searchParams.set("payment_intent", intent.id);
  back.searchParams.set("payment_intent_client_secret", intent.clientSecret);
  back.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "failed");
  response.redirect(303, back.href);
}

const answerFaults =
  (log: Pick<Log, "error">): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    const known = error instanceof StripeRefusal;
    // A parser's error quotes the body: only errors of ours are logged.
    if (!known)
      log.error({ fault: error instanceof Error ? error.name : "unknown" }, "the card sandbox failed");
    const refusal = known ? error : new StripeRefusal(400, "The request could not be understood.");
    response
      .status(refusal.status)
      .json(refusalJson(refusal, refusal.intent && publicIntent(refusal.intent)));
  };

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
const cardPage = (pageOrigins: readonly string[]): Html =>
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

const challengePage = (intent: Intent): Html =>
  document(
    "3-D Secure (sandbox)",
    "challenge",
    [],
    html`<main class="Panel"><h1>3-D Secure</h1>${intent.status === "requires_action" ? open(intent) : ended}</main>`,
  );
