import { createServer, type RequestListener, type Server } from "node:http";
import type { Request, RequestHandler } from "express";
import { Html, html } from "../../documents/mail/html.ts";

export type Listening = { host: string; port: number; close: () => Promise<void> };

/** Listens on a port (0: any free one). Closing also closes open connections, so stopping never waits for a client. */
export async function listen(handler: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer(handler);
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { host, port: portOf(server), close: () => close(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

/** Another site's page could post a form to this machine, but its script could not send JSON. */
export const ownFormsOnly: RequestHandler = (request, response, next) => {
  if (request.is("urlencoded") && request.get("sec-fetch-site") !== "same-origin") {
    response.status(403).json({ issues: "Forms are accepted only from the sandbox's own pages." });
    return;
  }
  next();
};

/** Postgres stores no null character, neither in text nor in JSON. */
export function holdsNull(request: Request): boolean {
  return /%00/.test(request.url) || hasNull(request.body);
}

/** Answers 400. Mount before the routes, and again after body parsers. */
export const refuseNull: RequestHandler = (request, response, next) => {
  if (!holdsNull(request)) return next();
  response.status(400).json({ issues: "The request holds a null character." });
};

/** Whether any text in parsed JSON has one. Not recursive: JSON may be nested deeper than the stack. */
export function hasNull(json: unknown): boolean {
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value === "string" && value.includes("\0")) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.entries(value)) unseen.push(...member);
  }
  return false;
}

/** The status a body parser gives to unreadable input; undefined if the error is ours. */
export function statusOfUnreadable(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}

/** Permissions of a sandbox page: its inline styles, and forms to us if it has any. */
export const sandboxPolicy = (forms: "no forms" | "own forms"): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    `form-action ${forms === "own forms" ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ");

const style = `
:root { color-scheme: light dark; --paper: #fbfaf7; --surface: #fff; --ink: #1b1a24; --muted: #57546a; --line: #ddd9d0; --primary: #3d35a8; --tint: #efeefb; }
@media (prefers-color-scheme: dark) { :root { --paper: #14131a; --surface: #1e1d27; --ink: #eceaf4; --muted: #a9a6ba; --line: #34323f; --primary: #b0abf8; --tint: #26233f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 "Inter Variable", Inter, system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 8px 16px; background: var(--tint); border-bottom: 1px solid var(--line); font-size: 14px; }
header strong { margin-right: auto; font-weight: 500; }
main { max-width: 880px; margin: 0 auto; padding: 32px 16px 64px; }
h1 { margin: 0 0 8px; font: 500 28px/1.15 "Newsreader Variable", Newsreader, Georgia, serif; }
h2 { margin: 0; font-size: 16px; font-weight: 500; overflow-wrap: anywhere; }
a { color: var(--primary); text-underline-offset: 3px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
code, time { font-family: "JetBrains Mono Variable", ui-monospace, monospace; font-size: 14px; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.lead { max-width: 66ch; margin: 0 0 24px; color: var(--muted); }
.meta { margin: 4px 0 0; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
.empty { padding: 32px; border: 1px dashed var(--line); border-radius: 4px; color: var(--muted); text-align: center; }
.card { margin: 0 0 16px; padding: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 4px; }
.list { margin: 0; padding: 0; list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: 4px; }
.list li { padding: 12px 16px; border-top: 1px solid var(--line); }
.list li:first-child { border-top: 0; }
.list a:not(.inline) { display: block; font-weight: 500; overflow-wrap: anywhere; }
details { margin-top: 8px; } details + .card { margin-top: 16px; } summary { cursor: pointer; }
dl { margin: 8px 0 0; } dl dl { margin: 0; }
dl div { display: grid; grid-template-columns: minmax(120px, 1fr) 2fr; gap: 8px; padding: 4px 0; border-top: 1px solid var(--line); font-size: 14px; }
@media (max-width: 640px) { dl div { grid-template-columns: 1fr; gap: 0; } dl dl { padding-left: 16px; } }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0 0; }
form.modes { margin: 0 0 24px; }
button { min-height: 36px; padding: 4px 12px; border: 1px solid var(--primary); border-radius: 4px; background: transparent; color: var(--primary); font: inherit; font-size: 14px; cursor: pointer; }
button:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
button[aria-pressed=true] { background: var(--primary); color: var(--surface); }
label { display: flex; align-items: center; gap: 8px; font-size: 14px; }
label.wide { flex: 1 0 100%; flex-direction: column; align-items: stretch; gap: 4px; }
select, textarea { min-height: 36px; padding: 4px 8px; border: 1px solid var(--muted); border-radius: 4px; background: var(--surface); color: var(--ink); font: inherit; }
select:focus-visible, textarea:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
iframe { width: 100%; height: 75vh; background: #fff; border: 1px solid var(--line); border-radius: 4px; }
pre { padding: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; }
`;

export const sandboxPage = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>${title} (sandbox)</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${new Html(style)}</style>
</head>
<body>
<header><strong>Sandbox: nothing here is really sent</strong><a href="/sandbox/mail">Mail</a><a href="/sandbox/gro">GRO</a><a href="/sandbox/payments">Payments</a><a href="/">The site</a></header>
<main><h1>${title}</h1>
${body}
</main>
</body>
</html>`;

const london = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  dateStyle: "medium",
  timeStyle: "medium",
});

/** A moment in London time. */
export const shownTime = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${london.format(at)}</time>`;

/** The latest items, in memory only; older ones are dropped. */
export class Latest<T> {
  readonly #most: number;
  #items: readonly T[] = [];
  constructor(most: number) {
    this.#most = most;
  }
  add(item: T): void {
    this.#items = [item, ...this.#items].slice(0, this.#most);
  }
  /** Newest first. */
  get all(): readonly T[] {
    return this.#items;
  }
}
