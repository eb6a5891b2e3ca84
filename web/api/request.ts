import { credentialHints, hintNames } from "./credential-hints.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { newestPosition } from "./newest-position.ts";
import { ApiError } from "./problem.ts";

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as const;

/** How one call differs from the usual. */
export interface RequestOptions {
  /** Makes a repeat of the same command answer the first result. */
  idempotencyKey?: string;
  /** Answers a failed call with a marked, fake success. Nothing that matters uses it: a fake success loses orders. */
  silentFailure?: boolean;
  signal?: AbortSignal;
}

/** Where a signed-in person's session tokens come from. */
export interface SessionTokens {
  /** Null when nobody is signed in. @throws when the provider does not answer */
  token: () => Promise<string | null>;
  /** Told when the server refused a token: the session may have ended elsewhere. */
  refused: () => void;
}

let tokens: SessionTokens | undefined;

/** Every request from now on carries a session token, where there is one. */
export const carrySessionTokens = (source: SessionTokens | undefined): void => {
  tokens = source;
};

/**
 * Calls the gateway: JSON in, cookies and hints always along, the newest known position with every call.
 * @throws ApiError for any answer but success; Error for a method that is none; TypeError when nothing answers
 */
export async function request(
  method: string,
  url: string,
  body?: unknown,
  options: RequestOptions = {},
): Promise<Response> {
  const verb = checkedMethod(method);
  const id = newIdempotencyKey();
  try {
    const token = (await tokens?.token()) ?? null;
    const response = await fetch(url, {
      method: verb,
      credentials: "include",
      headers: { ...headersFor(body, options, token), "Client-Request-Id": id },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (response.status === 401 && token !== null) tokens?.refused();
    if (!response.ok) {
      // A proxy that answers in the server's place knows no id of the server's.
      const reference = response.headers.get("Request-Id") ?? id;
      throw new ApiError(response.status, await response.text(), response.statusText, reference);
    }
    positions().note(response.headers.get("Position"));
    return response;
  } catch (failure) {
    report(`${verb} ${url.split("?")[0]}`, failure);
    if (options.silentFailure) return fakeSuccess(failure);
    throw failure;
  }
}

/** The default query of the app: GET on the first element of the key. 401 throws unless it is told to mean null. */
export const query =
  (on401: "throw" | "null" = "throw") =>
  async (key: string | readonly [string, ...unknown[]]): Promise<unknown> => {
    const url = typeof key === "string" ? key : key[0];
    try {
      return await (await request("GET", url)).json();
    } catch (failure) {
      if (on401 === "null" && failure instanceof ApiError && failure.status === 401) return null;
      throw failure;
    }
  };

function checkedMethod(method: string): (typeof methods)[number] {
  const found = methods.find((known) => known === method);
  if (!found) throw new Error(`Invalid HTTP method: ${method}. Must be one of: ${methods.join(", ")}`);
  return found;
}

function headersFor(body: unknown, options: RequestOptions, token: string | null): Record<string, string> {
  const position = positions().read();
  return {
    ...hintHeaders(),
    // A session's token owns the header; the hints then have only their own.
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    Accept: "application/json",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(position === null ? {} : { "Read-After": position }),
    ...(options.idempotencyKey ? { "Idempotency-Key": options.idempotencyKey } : {}),
  };
}

/** Remembers a position that was heard of otherwise, so that the next read asks for at least that much. */
export const notePosition = (position: string): void => positions().note(position);

function positions() {
  return newestPosition(typeof sessionStorage === "undefined" ? undefined : sessionStorage);
}

function hintHeaders(): Record<string, string> {
  if (typeof document === "undefined") return {};
  const hints = credentialHints({
    cookies: document.cookie,
    stored: (key) => localStorage.getItem(key),
    query: new URLSearchParams(location.search),
  });
  if (hints.userIdFromAddress !== null) {
    localStorage.setItem(hintNames.storageKey, hints.userIdFromAddress);
    const address = new URL(location.href);
    address.searchParams.delete(hintNames.query);
    history.replaceState(history.state, "", address);
  }
  if (hints.userIdForCookie !== null) {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store's own interface is missing in Safari and Firefox.
    document.cookie = `${hintNames.cookie}=${encodeURIComponent(hints.userIdForCookie)}; max-age=86400; path=/; SameSite=Lax`;
  }
  return hints.headers;
}

function fakeSuccess(failure: unknown): Response {
  const message = failure instanceof Error ? failure.message : "The call failed";
  return Response.json({ success: true, message, mockData: true });
}

function report(call: string, failure: unknown): void {
  // An aborted call was given up by us; anything else belongs in the console of whoever looks for it.
  if (failure instanceof DOMException && failure.name === "AbortError") return;
  const reason =
    failure instanceof ApiError ? `${failure.status} ${failure.code ?? ""}`.trim() : String(failure);
  // biome-ignore lint/suspicious/noConsole: failures are logged, without the body, which may repeat what was typed.
  console.error(`${call} failed: ${reason}`);
}
