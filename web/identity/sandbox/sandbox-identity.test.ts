import { expect, test, vi } from "vitest";
import { createSessionToken } from "./sandbox-identity.ts";

const tokenFor = (seconds: number, mark: string): string => {
  const claims = btoa(JSON.stringify({ iat: 1000, exp: 1000 + seconds, mark }));
  return `head.${claims.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.signature`;
};

function session(lifetimeSeconds = 60) {
  const clock = { ms: 0 };
  let count = 0;
  const fetched = vi.fn<() => Promise<string | null>>(async () => {
    count += 1;
    return tokenFor(lifetimeSeconds, String(count));
  });
  return { clock, fetched, session: createSessionToken(fetched, () => clock.ms) };
}

test("a token is kept, and renewed before it ends", async () => {
  const { clock, fetched, session: kept } = session();
  const first = await kept.token();
  clock.ms = 44_000;
  expect(await kept.token()).toBe(first);
  clock.ms = 46_000;
  expect(await kept.token()).not.toBe(first);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("its life counts from when it came, whatever the computer's calendar says", async () => {
  const { clock, fetched, session: kept } = session();
  clock.ms = 9_000_000;
  await kept.token();
  clock.ms += 40_000;
  await kept.token();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("those who ask at the same moment share one question", async () => {
  const { fetched, session: kept } = session();
  await Promise.all([kept.token(), kept.token(), kept.token()]);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("being signed out is not cached, and neither is a failure", async () => {
  const { fetched, session: kept } = session();
  fetched.mockResolvedValueOnce(null).mockRejectedValueOnce(new Error("No answer."));
  expect(await kept.token()).toBeNull();
  await expect(kept.token()).rejects.toThrow("No answer.");
  expect(await kept.token()).toContain("head.");
});

test("a forgotten token is not given again", async () => {
  const { session: kept } = session();
  const first = await kept.token();
  kept.forget();
  expect(await kept.token()).not.toBe(first);
});
