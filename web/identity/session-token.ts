import * as z from "zod/mini";

/** Tokens are renewed when less than this is left of them. */
const renewedBeforeMs = 15_000;

const times = z.object({ iat: z.number(), exp: z.number() });

/**
 * Keeps a session token and renews it in time; callers at the same moment share one request.
 * @param fetchToken asks the provider; null when nobody is signed in
 * @param nowMs a clock that only ever runs on: the computer's may be wrong, so lifetimes count from when a token came
 */
export function createSessionToken(fetchToken: () => Promise<string | null>, nowMs: () => number) {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  let fetching: Promise<string | null> | undefined;

  async function renew(): Promise<string | null> {
    const askedAtMs = nowMs();
    const token = await fetchToken();
    kept = token === null ? undefined : { token, untilMs: askedAtMs + lifetimeMs(token) - renewedBeforeMs };
    return token;
  }

  return {
    /** @throws whatever fetchToken throws */
    token(): Promise<string | null> {
      if (kept && nowMs() < kept.untilMs) return Promise.resolve(kept.token);
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    /** The next token is new. */
    forget(): void {
      kept = undefined;
    },
  };
}

/** How long a token is good for, in milliseconds. @throws when it is no token */
function lifetimeMs(token: string): number {
  const [, claims = ""] = token.split(".");
  const json = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  const { iat, exp } = times.parse(JSON.parse(json));
  return (exp - iat) * 1000;
}
