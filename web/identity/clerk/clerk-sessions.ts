import type { IdentityPort } from "../identity-port.ts";
import type { LoadedClerk } from "./start-clerk.tsx";

/** As much of Clerk as tokens and sessions need. */
export type ClerkSessions = Pick<LoadedClerk, "session" | "addListener" | "signOut">;

/** Sessions as the app asks for them. Clerk keeps tokens, and renews them before their minute is over. */
export function clerkSessions(clerk: ClerkSessions): Omit<IdentityPort, "SignIn" | "SignUp"> {
  let refused = false;
  return {
    async token() {
      const token = (await clerk.session?.getToken({ skipCache: refused })) ?? null;
      refused = false;
      return token;
    },
    forgetToken() {
      refused = true;
    },
    // With something to do afterwards, Clerk does not lead the browser away.
    endSession: () => clerk.signOut(() => undefined),
    onSignIn(listener) {
      let before = clerk.session?.id;
      return clerk.addListener(({ session }) => {
        // Undefined while it changes, and null when it is over.
        if (session === undefined || session?.id === before) return;
        before = session?.id;
        if (session !== null) listener();
      });
    },
  };
}
