import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sandboxIdentity } from "./sandbox-identity.tsx";

const fetched = vi.fn<typeof fetch>();

const answered = (token: string | null) => Response.json({ token });
const tokenFor = (seconds: number, mark: string): string => {
  const claims = btoa(JSON.stringify({ iat: 1000, exp: 1000 + seconds, mark }));
  return `head.${claims.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.signature`;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  let count = 0;
  fetched.mockReset().mockImplementation(async () => {
    count += 1;
    return answered(tokenFor(60, String(count)));
  });
  vi.stubGlobal("fetch", fetched);
  sandboxIdentity.forgetToken();
});
afterEach(() => {
  sandboxIdentity.forgetToken();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a token is kept, and renewed before it ends", async () => {
  const first = await sandboxIdentity.token();
  vi.advanceTimersByTime(44_000);
  expect(await sandboxIdentity.token()).toBe(first);
  vi.advanceTimersByTime(2_000);
  expect(await sandboxIdentity.token()).not.toBe(first);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("its life counts from when it came, whatever the computer's calendar says", async () => {
  await sandboxIdentity.token();
  vi.setSystemTime("2001-01-01T00:00:00Z");
  await sandboxIdentity.token();
  vi.setSystemTime("2051-01-01T00:00:00Z");
  vi.advanceTimersByTime(40_000);
  await sandboxIdentity.token();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("those who ask at the same moment share one question", async () => {
  await Promise.all([sandboxIdentity.token(), sandboxIdentity.token(), sandboxIdentity.token()]);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("being signed out is not cached, and neither is a failure", async () => {
  fetched.mockResolvedValueOnce(answered(null)).mockRejectedValueOnce(new Error("No answer."));
  expect(await sandboxIdentity.token()).toBeNull();
  await expect(sandboxIdentity.token()).rejects.toThrow("No answer.");
  expect(await sandboxIdentity.token()).toContain("head.");
});

test("a forgotten token is not given again", async () => {
  const first = await sandboxIdentity.token();
  sandboxIdentity.forgetToken();
  expect(await sandboxIdentity.token()).not.toBe(first);
});

test("signing out ends the session at the sandbox, and forgets its token", async () => {
  const first = await sandboxIdentity.token();
  await sandboxIdentity.endSession();
  expect(fetched.mock.lastCall?.[0]).toBe("/sandbox/identity/sign-out");
  expect(await sandboxIdentity.token()).not.toBe(first);
});
