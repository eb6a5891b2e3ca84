import * as z from "zod/mini";
import type { IdentityPort } from "../identity-port.ts";
import { createSessionToken } from "../session-token.ts";
import { SandboxSignIn, SandboxSignUp } from "./sandbox-pages.tsx";
import { askSandbox, sandboxIdentityApi, signIns } from "./sandbox-requests.ts";

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
