import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { isLoopback as isLoopbackHost } from "../../../infra/config/provider-shapes.ts";
import { html } from "../../mail/html.ts";
import { sandboxPage, sandboxPolicy } from "./sandbox-page.ts";

const loopback = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Whether an address is this machine's own, as a socket shows it. */
export const isLoopback = (address: string | undefined): boolean => loopback.test(address ?? "");

/** What proxies add, each its own: one is enough to tell that somebody else may stand behind a request. */
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

/** The header in which a program gives the secret; a browser gets a cookie of that name for the one it typed. */
export const secretHeader = "sandbox-secret";

/** Whether a site at this address may have a proxy on this machine, behind which every client looks local. */
export const asksForSecret = (publicUrl: string | undefined): boolean =>
  publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname);

/**
 * Lets only this machine in: what the sandbox shows is personal data, its controls change what happens, and it signs anybody in. A
 * proxy in front makes every client look local, so a forwarded request is refused; so is a foreign host name, which a page in the
 * browser of this machine could have pointed at it. A proxy that adds no header and rewrites `Host` cannot be told from this machine:
 * where the site has a public address, the installation's secret is asked for besides.
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
      refuse(response, "The sandbox shows this only to the machine it runs on.\n");
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

/** What was typed comes back as a query, is put into a cookie, and leaves the address bar. */
function askForSecret(request: Request, response: Response, secret: string): void {
  const { pathname, searchParams } = new URL(request.originalUrl, "http://localhost");
  const typed = searchParams.get("secret")?.trim();
  if (request.method !== "GET" || request.accepts(["json", "html"]) !== "html") {
    refuse(response, "The sandbox asks for the secret that was printed when it started.\n");
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
${wasWrong ? html`<p role="alert">That is not the secret.</p>` : ""}
<form method="get"><label for="secret">Secret</label> <input id="secret" name="secret" autocomplete="off" spellcheck="false" required>
<button>Continue</button></form>`,
  );

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
