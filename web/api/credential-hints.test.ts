import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memoryStorage } from "../../testing/pages/memory-storage.ts";
import { request } from "./request.ts";

const fetched = vi.fn<typeof fetch>();
const stored = memoryStorage();
const history = { state: { step: 2 }, replaceState: vi.fn() };

/** A tab at an address, with cookies. */
function tabAt(href: string, cookie = "") {
  const page = { cookie };
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", new URL(href));
  return page;
}

beforeEach(() => {
  fetched.mockReset().mockImplementation(async () => Response.json({}));
  stored.removeItem("clerk-user-id");
  history.replaceState.mockReset();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("sessionStorage", memoryStorage());
  vi.stubGlobal("localStorage", stored);
  vi.stubGlobal("history", history);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function hintsSent(): Promise<Record<string, string>> {
  await request("GET", "/api/config");
  const headers = new Headers(fetched.mock.lastCall?.[1]?.headers);
  return Object.fromEntries(
    ["X-Debug-Info", "Authorization", "X-Clerk-User-Id"].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

const withAddress = "https://certificates.example/order?a=1&clerk_user_id=user_address#top";
const cookieOf = (userId: string): string => `clerk-user-id=${userId}; max-age=86400; path=/; SameSite=Lax`;

test("without any hint only the debug header is sent, and says so", async () => {
  const page = tabAt("https://certificates.example/");
  expect(await hintsSent()).toEqual({ "X-Debug-Info": "no-credentials" });
  expect(page.cookie).toBe("");
  expect(stored.getItem("clerk-user-id")).toBeNull();
});

test("a development token in a cookie comes first, as a bearer", async () => {
  const page = tabAt(withAddress, "a=1; __clerk_db_jwt=dvb_1=2; b=3");
  stored.setItem("clerk-user-id", "user_stored");
  expect(await hintsSent()).toEqual({ Authorization: "Bearer dvb_1=2", "X-Debug-Info": "development-token" });
  expect(page.cookie).toBe("a=1; __clerk_db_jwt=dvb_1=2; b=3");
  expect(history.replaceState).not.toHaveBeenCalled();
});

test("then a stored user id, in its header, as a prefixed bearer, and in a cookie", async () => {
  const page = tabAt(withAddress);
  stored.setItem("clerk-user-id", "user_stored");
  expect(await hintsSent()).toEqual({
    "X-Clerk-User-Id": "user_stored",
    Authorization: "Bearer clerk-user_stored",
    "X-Debug-Info": "stored-user-id",
  });
  expect(page.cookie).toBe(cookieOf("user_stored"));
  expect(history.replaceState).not.toHaveBeenCalled();
});

test("then one in the address, which is stored and taken out of it", async () => {
  const page = tabAt(withAddress);
  expect(await hintsSent()).toEqual({
    "X-Clerk-User-Id": "user_address",
    Authorization: "Bearer clerk-user_address",
    "X-Debug-Info": "user-id-in-address",
  });
  expect(page.cookie).toBe(cookieOf("user_address"));
  expect(stored.getItem("clerk-user-id")).toBe("user_address");
  const [state, , address] = history.replaceState.mock.lastCall ?? [];
  expect(state).toBe(history.state);
  expect(String(address)).toBe("https://certificates.example/order?a=1#top");
});

test.each(["ŵ", "user_1\r\nX-Other: 1", "user 1", "u".repeat(121), ""])(
  "what is no user id is neither sent nor kept, whether stored or in the address: %j",
  async (text) => {
    const page = tabAt(`https://certificates.example/lookup?clerk_user_id=${encodeURIComponent(text)}`);
    stored.setItem("clerk-user-id", text);
    expect(await hintsSent()).toEqual({ "X-Debug-Info": "no-credentials" });
    expect(page.cookie).toBe("");
    expect(stored.getItem("clerk-user-id")).toBeNull();
    const [, , address] = history.replaceState.mock.lastCall ?? [];
    expect(String(address)).toBe("https://certificates.example/lookup");
  },
);
