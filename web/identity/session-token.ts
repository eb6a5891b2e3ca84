import * as z from "zod/mini";

/** Tokens are renewed this long before they expire. */
const renewedBeforeMs = 15_000;

const times = z.object({ iat: z.number(), exp: z.number() });

/**
 * Caches a session token and renews it in time; simultaneous callers share one request.
 * @param fetchToken asks the provider; null if signed out
 * @param nowMs a monotonic clock: the computer's clock may be wrong, so lifetimes count from a token's arrival
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
    /** @throws the error of fetchToken */
    token(): Promise<string | null> {
      if (kept && nowMs() < kept.untilMs) return Promise.resolve(kept.token);
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    /** Discards the cached token. */
    forget(): void {
      kept = undefined;
    },
  };
}

/** A token's lifetime in milliseconds. @throws for a malformed token */
function lifetimeMs(token: string): number {
  const [, claims = ""] = token.split(".");
  const json = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  const { iat, exp } = times.parse(JSON.parse(json));
  return (exp - iat) * 1000;
}
