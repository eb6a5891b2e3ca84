import { type ComponentType, useEffect, useRef } from "react";
import type { IdentityPort, ProviderPageProps } from "../identity-port.ts";
import { clerkSessions } from "./clerk-sessions.ts";
import { type LoadedClerk, startClerk } from "./start-clerk.tsx";

/** Loads the hosted identity provider. @throws Error when it cannot be loaded */
export async function loadClerk(publishableKey: string): Promise<IdentityPort> {
  const clerk = await startClerk(publishableKey);
  return { ...clerkSessions(clerk), ...clerkPages(clerk) };
}

type Mounting = Pick<LoadedClerk, "mountSignIn" | "unmountSignIn" | "mountSignUp" | "unmountSignUp">;

/**
 * Clerk's sign-in and sign-up. Their steps are in the URL's fragment, so each is a single page of ours. They are
 * mounted by Clerk directly: a second ClerkProvider on a page that is unmounted and mounted again takes a loaded Clerk
 * for one still loading.
 */
const clerkPages = (clerk: Mounting): Pick<IdentityPort, "SignIn" | "SignUp"> => ({
  SignIn: mounted(
    (node, url) =>
      clerk.mountSignIn(node, { routing: "hash", forceRedirectUrl: url, signUpForceRedirectUrl: url }),
    (node) => clerk.unmountSignIn(node),
  ),
  SignUp: mounted(
    (node, url) =>
      clerk.mountSignUp(node, { routing: "hash", forceRedirectUrl: url, signInForceRedirectUrl: url }),
    (node) => clerk.unmountSignUp(node),
  ),
});

function mounted(
  mount: (node: HTMLDivElement, afterwards: string) => void,
  unmount: (node: HTMLDivElement) => void,
): ComponentType<ProviderPageProps> {
  return function ClerkPage({ afterwards }) {
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const node = place.current;
      if (!node) return;
      mount(node, afterwards);
      return () => unmount(node);
    }, [afterwards]);
    return <div ref={place} />;
  };
}
