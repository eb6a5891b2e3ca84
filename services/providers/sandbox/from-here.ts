import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { isLoopback as isLoopbackHost } from "../../../infra/config/provider-shapes.ts";
import { html } from "../../documents/mail/html.ts";
import { sandboxPage, sandboxPolicy } from "./http-server.ts";

const loopback = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Whether a socket's address is this machine's own. */
export const isLoopback = (address: string | undefined): boolean => loopback.test(address ?? "");

/** Headers added by proxies: any one shows that the request may come from another machine. */
const signsOfProxy = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
];

/** Header for programs; for browsers, a cookie of the same name. */
const secretHeader = "sandbox-secret";

/** Whether a site at this address may be behind a proxy on this machine, which makes every client look local. */
export const asksForSecret = (publicUrl: string | undefined): boolean =>
  publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname);

/**
 * Allows this machine only: the sandbox shows personal data, controls what happens, and signs anyone in. A proxy makes
 * every client look local, so forwarded requests are refused; so are foreign host names, which a page in this machine's
 * browser could have pointed here. A proxy that adds no header and rewrites `Host` looks like this machine: a site with
 * a public address therefore also requires the installation's secret.
 */
export function createFromHere({
  publicUrl,
  secret,
}: {
  publicUrl: string | undefined;
  secret: string;
}): RequestHandler {
  const isAsked = asksForSecret(publicUrl);
  return (request, response, next) => {
    const isForwarded = signsOfProxy.some((name) => request.headers[name] !== undefined);
    const local = isLoopback(request.socket.remoteAddress);
    if (!local || isForwarded || !localHost.test(request.get("host") ?? "")) {
      refuse(response, "The sandbox serves this page only to the machine it runs on.\n");
    } else if (!isAsked || isSame(secretOf(request), secret)) next();
    else askForSecret(request, response, secret);
  };
}

function refuse(response: Response, sentence: string): void {
  response.status(403).set("Cache-Control", "no-store").type("text/plain").send(sentence);
}

function secretOf(request: Request): string {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const cookie = pairs.find((pair) => pair.startsWith(`${secretHeader}=`))?.slice(secretHeader.length + 1);
  return request.get(secretHeader) ?? cookie ?? "";
}

/** The typed secret arrives as a query, moves to a cookie, and disappears from the address bar. */
function askForSecret(request: Request, response: Response, secret: string): void {
  const { pathname, searchParams } = new URL(request.originalUrl, "http://localhost");
  const typed = searchParams.get("secret")?.trim();
  if (request.method !== "GET" || request.accepts(["json", "html"]) !== "html") {
    refuse(response, "The sandbox needs the secret that was printed at its start.\n");
    return;
  }
  response.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
  if (typed !== undefined && isSame(typed, secret)) {
    response.set("Set-Cookie", `${secretHeader}=${secret}; Path=/sandbox; HttpOnly; SameSite=Strict`);
    response.redirect(303, pathname);
    return;
  }
  response.status(403).set("Content-Security-Policy", sandboxPolicy("own forms")).type("html");
  response.send(secretPage(typed !== undefined).markup);
}

const secretPage = (wasWrong: boolean) =>
  sandboxPage(
    "Secret",
    html`<p class="lead">This site has a public address, so its sandbox asks for the secret that was printed when it started.</p>
${wasWrong ? html`<p role="alert">This is not the right secret.</p>` : ""}
<form method="get"><label for="secret">Secret</label> <input id="secret" name="secret" autocomplete="off" spellcheck="false" required>
<button>Continue</button></form>`,
  );

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
