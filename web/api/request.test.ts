import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { timeOf } from "../../domain/time-ordered-ids.ts";
import { memoryStorage } from "../../testing/pages/memory-storage.ts";
import { ApiError } from "./problem.ts";
import {
  carrySessionTokens,
  keyPerBody,
  newIdempotencyKey,
  notePosition,
  query,
  request,
} from "./request.ts";

const fetched = vi.fn<typeof fetch>();
let logged: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  fetched.mockReset().mockImplementation(async () => Response.json({ ok: true }));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("sessionStorage", memoryStorage());
  logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const headersOfCall = (index: number): Headers => new Headers(fetched.mock.calls[index]?.[1]?.headers);
const refusing = (status: number, body: string) =>
  fetched.mockImplementation(async () => new Response(body, { status, statusText: "Refused" }));

test.each(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])("%s is allowed", async (method) => {
  await request(method, "/api/config");
  expect(fetched.mock.calls[0]?.[1]?.method).toBe(method);
});

test.each(["TRACE", "get", ""])("%j is not a method, and nothing is sent", async (method) => {
  await expect(request(method, "/api/config")).rejects.toThrow(
    `Invalid HTTP method: ${method}. Must be one of: GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS`,
  );
  expect(fetched).not.toHaveBeenCalled();
});

test("cookies go along, and a body goes as JSON", async () => {
  await request("POST", "/api/orders", { email: "zoë@example.org" });
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    credentials: "include",
    body: '{"email":"zoë@example.org"}',
  });
  expect(headersOfCall(0).get("Content-Type")).toBe("application/json");
});

test("a call without a body names no content type", async () => {
  await request("GET", "/api/config");
  expect(headersOfCall(0).has("Content-Type")).toBe(false);
});

test("the key of an attempt goes with it", async () => {
  await request("POST", "/api/orders", {}, { idempotencyKey: "k-1" });
  expect(headersOfCall(0).get("Idempotency-Key")).toBe("k-1");
});

test("the newest position of a command's answer is asked for in what follows", async () => {
  fetched.mockImplementationOnce(async () => Response.json({}, { headers: { Position: "0009" } }));
  await request("POST", "/api/orders", {});
  await request("GET", "/api/orders/1");
  expect(headersOfCall(0).has("Read-After")).toBe(false);
  expect(headersOfCall(1).get("Read-After")).toBe("0009");
});

test("an answer that is no success throws, and is logged without its body", async () => {
  refusing(422, '{"detail":"anwen@example.org is wrong"}');
  await expect(request("POST", "/api/orders?x=1", {})).rejects.toThrow(ApiError);
  expect(logged).toHaveBeenCalledExactlyOnceWith("POST /api/orders failed: 422");
});

test("each call has an id of its own, and a fault names what support finds it by", async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  await request("GET", "/api/config");
  refusing(502, "bad gateway");
  await expect(request("GET", "/api/config")).rejects.toMatchObject({
    reference: expect.stringMatching(uuid),
  });
  const [first, second] = [0, 1].map((index) => headersOfCall(index).get("Client-Request-Id"));
  expect(first).toMatch(uuid);
  expect(second).not.toBe(first);
  const answered = (status: number) => () =>
    Promise.resolve(new Response("", { status, headers: { "Request-Id": "of-the-server" } }));
  fetched.mockImplementation(answered(500));
  await expect(request("GET", "/api/config")).rejects.toMatchObject({ reference: "of-the-server" });
  fetched.mockImplementation(answered(404));
  await expect(request("GET", "/api/config")).rejects.toMatchObject({ reference: null });
});

test("a key tells when it was made, by which the server orders its index", () => {
  const before = Date.now();
  const keys = Array.from({ length: 100 }, newIdempotencyKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(timeOf(key)).toBeGreaterThanOrEqual(before);
    expect(timeOf(key)).toBeLessThanOrEqual(Date.now());
  }
});

test("a silent failure answers a fake success that says that it is one", async () => {
  refusing(500, "down");
  const response = await request("GET", "/api/config", undefined, { silentFailure: true });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ success: true, message: "500: down", mockData: true });
});

test("the default query reads the first element of its key", async () => {
  expect(await query()(["/api/config", 1])).toEqual({ ok: true });
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/config");
});

test("a 401 throws by default, and means null where that is asked for", async () => {
  refusing(401, "who are you");
  await expect(query()("/api/me")).rejects.toThrow("401: who are you");
  expect(await query("null")("/api/me")).toBeNull();
  refusing(403, "no");
  await expect(query("null")("/api/me")).rejects.toThrow("403: no");
});

test("a session's token owns the header; the hints keep their own", async () => {
  vi.stubGlobal("document", { cookie: "" });
  const storage = memoryStorage();
  storage.setItem("clerk-user-id", "user_1");
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("location", { search: "", href: "https://certificates.example/" });
  carrySessionTokens({ token: async () => "ey.session.token", refused: () => undefined });
  await request("GET", "/api/me");
  expect(headersOfCall(0).get("Authorization")).toBe("Bearer ey.session.token");
  expect(headersOfCall(0).get("X-Clerk-User-Id")).toBe("user_1");
  carrySessionTokens({ token: async () => null, refused: () => undefined });
  await request("GET", "/api/me");
  expect(headersOfCall(1).get("Authorization")).toBe("Bearer clerk-user_1");
  carrySessionTokens(undefined);
});

test("a role that does not suffice is reported too: it may have been revoked", async () => {
  const refused = vi.fn();
  carrySessionTokens({ token: async () => "ey.session.token", refused });
  refusing(403, '{"code":"foreign-origin"}');
  await expect(request("GET", "/api/admin/updates")).rejects.toThrow(ApiError);
  expect(refused).not.toHaveBeenCalled();
  refusing(403, '{"code":"not-allowed"}');
  await expect(request("GET", "/api/admin/updates")).rejects.toThrow(ApiError);
  expect(refused).toHaveBeenCalledTimes(1);
  carrySessionTokens(undefined);
});

test("a refused token is reported to its source; a refusal without a token is not", async () => {
  const refused = vi.fn();
  refusing(401, "");
  carrySessionTokens({ token: async () => "ey.session.token", refused });
  await expect(request("GET", "/api/me")).rejects.toThrow(ApiError);
  expect(refused).toHaveBeenCalledTimes(1);
  carrySessionTokens({ token: async () => null, refused });
  await expect(request("GET", "/api/me")).rejects.toThrow(ApiError);
  refusing(403, "");
  carrySessionTokens({ token: async () => "ey.session.token", refused });
  await expect(request("GET", "/api/me")).rejects.toThrow(ApiError);
  expect(refused).toHaveBeenCalledTimes(1);
  carrySessionTokens(undefined);
  expect(logged).toHaveBeenCalledTimes(3);
});

test("a repeat of the same command carries the same key, another command another", () => {
  let count = 0;
  const keyOf = keyPerBody(() => `key-${++count}`);
  const first = keyOf({ message: "Hello" });
  expect(keyOf({ message: "Hello" })).toBe(first);
  expect(keyOf({ message: "Hello!" })).not.toBe(first);
});

async function askedAfter(ask = request): Promise<string | null> {
  fetched.mockClear();
  await ask("GET", "/api/orders");
  return headersOfCall(0).get("Read-After");
}

test("nothing is known before the first command", async () => {
  expect(await askedAfter()).toBeNull();
  vi.stubGlobal("sessionStorage", undefined);
  notePosition("00000000000000000009");
  expect(await askedAfter()).toBeNull();
});

test("the newest position is kept, also over a reload", async () => {
  notePosition("00000000000000000009");
  notePosition("00000000000000000010");
  vi.resetModules();
  const reloaded = await import("./request.ts");
  expect(await askedAfter(reloaded.request)).toBe("00000000000000000010");
});

test("an answer that arrives late does not turn it back, and one without a position changes nothing", async () => {
  notePosition("00000000000000000010");
  notePosition("00000000000000000009");
  notePosition(null);
  expect(await askedAfter()).toBe("00000000000000000010");
});
