import type { IdentityPort } from "../identity-port.ts";

interface Session {
  readonly id: string;
  readonly getToken: (options: { skipCache: boolean }) => Promise<string | null>;
}

/** The part of Clerk used for tokens and sessions. */
interface ClerkSessions {
  readonly session: Session | null | undefined;
  readonly addListener: (
    listener: (update: { session?: Pick<Session, "id"> | null | undefined }) => void,
  ) => () => void;
  readonly signOut: (afterwards: () => void) => Promise<void>;
}

/** Session access for the app. Clerk caches tokens, and renews them before their minute is over. */
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
    // With a callback, Clerk does not redirect the browser.
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
