import type { EndedSessions } from "./ended-sessions.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/** The two ways to sign out. Once resolved, no token of those sessions is valid in any process. */
export type SignOut = {
  /** @throws when the identity provider or the database did not answer; try again */
  readonly here: (sessionId: string) => Promise<void>;
  readonly everywhere: (userId: string) => Promise<void>;
};

/**
 * Ends sessions here and at the provider. A single session ends here for good, so that comes first. For all sessions
 * only tokens issued so far are refused, so the provider comes first and issues no more; if it fails, the tokens are
 * refused all the same.
 */
export function createSignOut(
  provider: Pick<IdentityProvider, "endSession" | "endSessionsOf">,
  ended: Pick<EndedSessions, "endSession" | "endSessionsOf">,
): SignOut {
  return {
    async here(sessionId) {
      await ended.endSession(sessionId);
      await provider.endSession(sessionId);
    },
    async everywhere(userId) {
      const [atProvider] = await Promise.allSettled([provider.endSessionsOf(userId)]);
      await ended.endSessionsOf(userId);
      if (atProvider.status === "rejected") throw atProvider.reason;
    },
  };
}
