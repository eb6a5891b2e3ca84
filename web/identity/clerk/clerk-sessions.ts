import type { IdentityPort } from "../identity-port.ts";

/** A session of Clerk's. */
interface Session {
  readonly id: string;
  readonly getToken: (options: { skipCache: boolean }) => Promise<string | null>;
}

/** As much of Clerk as tokens and sessions need. */
export interface ClerkSessions {
  readonly session: Session | null | undefined;
  readonly addListener: (
    listener: (told: { session?: Pick<Session, "id"> | null | undefined }) => void,
  ) => () => void;
  readonly signOut: (afterwards: () => void) => Promise<void>;
}

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
