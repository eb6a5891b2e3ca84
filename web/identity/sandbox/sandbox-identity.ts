import * as z from "zod/mini";
import type { IdentityPort } from "../identity-port.ts";
import { askSandbox, SandboxSignIn, SandboxSignUp, sandboxIdentityApi, signIns } from "./sandbox-pages.tsx";

const tokenAnswer = z.object({ token: z.nullable(z.string()) });

/** A new token for this browser's session; null without one. */
async function fetchToken(): Promise<string | null> {
  const response = await askSandbox("POST", sandboxIdentityApi.token);
  if (!response.ok) throw new Error(`The sandbox's sign-in answered ${response.status}.`);
  return tokenAnswer.parse(await response.json()).token;
}

const session = createSessionToken(fetchToken, () => performance.now());

/** The sandbox's replacement for the hosted identity provider. */
export const sandboxIdentity: IdentityPort = {
  token: session.token,
  forgetToken: session.forget,
  endSession: async () => {
    const response = await askSandbox("POST", sandboxIdentityApi.signOut);
    if (!response.ok) throw new Error(`The sandbox's sign-in answered ${response.status}.`);
    session.forget();
  },
  onSignIn: signIns.subscribe,
  SignIn: SandboxSignIn,
  SignUp: SandboxSignUp,
};

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
