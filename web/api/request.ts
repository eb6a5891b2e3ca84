import { ApiError } from "./problem.ts";
import { upload } from "./upload.ts";

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as const;

export interface RequestOptions {
  idempotencyKey?: string;
  /** Turns a failure into a marked, fake success. Never for anything important: a fake success loses orders. */
  silentFailure?: boolean;
  signal?: AbortSignal;
  /** Called with the share of the body that has been sent, from 0 to 1. */
  onSent?: (share: number) => void;
}

/** Source of the signed-in user's session tokens. */
interface SessionTokens {
  /** Null if signed out. @throws if the provider does not answer */
  token: () => Promise<string | null>;
  /** Called when the server refused a token or its role: the session may have ended elsewhere, or the role be gone. */
  refused: () => void;
}

let tokens: SessionTokens | undefined;

/** Sends a session token, if there is one, with every request from now on. */
export const carrySessionTokens = (source: SessionTokens | undefined): void => {
  tokens = source;
};

/**
 * Calls the gateway with JSON, cookies, hints and the newest known position.
 * @throws ApiError for any answer but success; Error for an unknown method; TypeError without an answer
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
    const headers = { ...headersFor(body, options, token), "Client-Request-Id": id };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response =
      options.onSent && text.body !== undefined
        ? await upload(url, { method: verb, headers, body: text.body }, options.onSent)
        : await fetch(url, {
            method: verb,
            credentials: "include",
            headers,
            ...text,
            ...(options.signal ? { signal: options.signal } : {}),
          });
    if (!response.ok) {
      // A proxy that answers in the server's place sends no id of the server's.
      const reference = response.headers.get("Request-Id") ?? id;
      const refusal = new ApiError(response.status, await response.text(), response.statusText, {
        reference,
        stale: isStale(response),
      });
      if (token !== null && (refusal.status === 401 || refusal.code === "not-allowed")) tokens?.refused();
      throw refusal;
    }
    notePosition(response.headers.get("Position"));
    return response;
  } catch (failure) {
    report(`${verb} ${url.split("?")[0]}`, failure);
    if (options.silentFailure) return fakeSuccess(failure);
    throw failure;
  }
}

/** Whether the read models had not caught up with what this tab wrote when the server answered. */
export const isStale = (response: Response): boolean => response.headers.get("Stale") === "true";

/** The app's default query: GET on the key's first element. 401 throws unless configured to mean null. */
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
  const position = storageOfTab()?.getItem(positionKey) ?? null;
  return {
    ...hintHeaders(),
    // A session token takes the header; hints then use only their own.
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    Accept: "application/json",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(position === null ? {} : { "Read-After": position }),
    ...(options.idempotencyKey ? { "Idempotency-Key": options.idempotencyKey } : {}),
  };
}

const positionKey = "newest-position";

/** Survives reloads and redirects; undefined where the server renders a page. */
const storageOfTab = (): Storage | undefined =>
  typeof sessionStorage === "undefined" ? undefined : sessionStorage;

/**
 * Remembers a position of the log, if it is the newest, so the next read can ask for it (`Read-After`) and sees our own
 * write. Positions are opaque; later ones are greater as text.
 */
export function notePosition(position: string | null): void {
  const storage = storageOfTab();
  if (position === null || storage === undefined) return;
  if (position > (storage.getItem(positionKey) ?? "")) storage.setItem(positionKey, position);
}

/** Storage keys of the hints, named after the sign-in provider. */
export const hintNames = {
  developmentCookie: "__clerk_db_jwt",
  storageKey: "clerk-user-id",
  cookie: "clerk-user-id",
  header: "X-Clerk-User-Id",
  query: "clerk_user_id",
  debugHeader: "X-Debug-Info",
} as const;

/**
 * Unverified hints about the user for the log: the server grants nothing for them. A development token, else a stored
 * user id, else one in the URL, which is stored and removed from it; the debug header says which it found.
 */
function hintHeaders(): Record<string, string> {
  if (typeof document === "undefined") return {};
  const token = cookieValue(document.cookie, hintNames.developmentCookie);
  if (token !== null)
    return { Authorization: `Bearer ${token}`, [hintNames.debugHeader]: "development-token" };
  const stored = localStorage.getItem(hintNames.storageKey);
  if (stored !== null && isUserId(stored)) return hintOf(stored, "stored-user-id");
  localStorage.removeItem(hintNames.storageKey);
  const address = new URL(location.href);
  const given = address.searchParams.get(hintNames.query);
  if (given === null) return noHint;
  address.searchParams.delete(hintNames.query);
  history.replaceState(history.state, "", address);
  if (!isUserId(given)) return noHint;
  localStorage.setItem(hintNames.storageKey, given);
  return hintOf(given, "user-id-in-address");
}

const noHint = { [hintNames.debugHeader]: "no-credentials" };

/** Anyone can write a link: other text as a header would make every request of this browser fail. */
const isUserId = (text: string): boolean => /^[\w-]{1,120}$/.test(text);

function hintOf(userId: string, found: string): Record<string, string> {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store's own interface is missing in Safari and Firefox.
  document.cookie = `${hintNames.cookie}=${encodeURIComponent(userId)}; max-age=86400; path=/; SameSite=Lax`;
  return {
    [hintNames.header]: userId,
    Authorization: `Bearer clerk-${userId}`,
    [hintNames.debugHeader]: found,
  };
}

function cookieValue(cookies: string, name: string): string | null {
  for (const pair of cookies.split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name && value.length > 0) return value.join("=");
  }
  return null;
}

function fakeSuccess(failure: unknown): Response {
  const message = failure instanceof Error ? failure.message : "The call failed";
  return Response.json({ success: true, message, mockData: true });
}

function report(call: string, failure: unknown): void {
  // We aborted the call ourselves; any other failure is logged to the console.
  if (failure instanceof DOMException && failure.name === "AbortError") return;
  const reason =
    failure instanceof ApiError ? `${failure.status} ${failure.code ?? ""}`.trim() : String(failure);
  // biome-ignore lint/suspicious/noConsole: failures are logged, without the body, which may repeat what was typed.
  console.error(`${call} failed: ${reason}`);
}

/** A version 7 UUID: the id of an order begins with its key's minute, so that orders of one time are neighbours. */
export function newIdempotencyKey(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  // Browsers offer `randomUUID` on secure origins only.
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = ((Number.parseInt(hex.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex.slice(0, 3)}`,
    `${variant}${hex.slice(4, 7)}`,
    hex.slice(7, 19),
  ].join("-");
}

/**
 * The key to send with a command: the same for the same body, so a repeat after a lost answer does nothing twice; a
 * different body is a different command and gets a new key.
 */
export function keyPerBody(newId: () => string): (body: unknown) => string {
  let last: { readonly body: string; readonly key: string } | undefined;
  return (body) => {
    const text = JSON.stringify(body);
    if (last?.body !== text) last = { body: text, key: newId() };
    return last.key;
  };
}
