import { useEffect, useSyncExternalStore } from "react";
import { showMe, signOutEverywhere, signOutHere } from "../../contract/identity/me.ts";
import { carrySessionTokens, hintNames } from "../api/request.ts";
import { send } from "../api/send.ts";
import { configInPage, getConfig } from "../site/config.ts";
import type { Identity, IdentityPort } from "./identity-port.ts";
import { createIdentityStore } from "./identity-store.ts";

/** Records that a sign-in happened here. A shortcut for /sign-in, and no proof: it can be forged. */
const markerKey = "clerk-authenticated";

export const isMarkedSignedIn = (): boolean => localStorage.getItem(markerKey) !== null;

export const markSignedIn = (): void => localStorage.setItem(markerKey, "true");

/** Stores the user's id as the hint sent with every request. */
const rememberUserId = (userId: string): void => localStorage.setItem(hintNames.storageKey, userId);

/** Clears user id and marker together: with the marker left, /sign-in would lead straight back. */
export function forgetSignIn(): void {
  localStorage.removeItem(markerKey);
  localStorage.removeItem(hintNames.storageKey);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store's own interface is missing in Safari and Firefox.
  document.cookie = `${hintNames.cookie}=; max-age=0; path=/; SameSite=Lax`;
}

/** Prefix of the tab's storage keys for a signed-in user's unsent input. */
export const typedWork = "typed-work:";

/** Deletes all of it: the next user of this tab may be another person. */
function forgetTypedWork(): void {
  const names = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "");
  for (const name of names) if (name.startsWith(typedWork)) sessionStorage.removeItem(name);
}

/**
 * Loads the configured identity provider only.
 * @throws if loading fails
 */
async function loadIdentity(): Promise<IdentityPort> {
  const { clerkPublishableKey } = configInPage() ?? (await getConfig());
  if (clerkPublishableKey !== null) {
    const { loadClerk } = await import("./clerk/load-clerk.tsx");
    return loadClerk(clerkPublishableKey);
  }
  const { sandboxIdentity } = await import("./sandbox-identity.tsx");
  return sandboxIdentity;
}

/** Who is signed in on this page. */
export const identityStore = createIdentityStore({
  load: loadIdentity,
  getMe: () => send(showMe),
  endHere: () => send(signOutHere),
  endEverywhere: () => send(signOutEverywhere),
  carry: carrySessionTokens,
  remember: rememberUserId,
  forget: forgetSignIn,
  forgetWork: forgetTypedWork,
});

/** The signed-in user, requested once per page load and shared by all pages. */
export function useIdentity(): Identity {
  const known = useSyncExternalStore(identityStore.subscribe, identityStore.current);
  useEffect(() => identityStore.begin(), []);
  return {
    ...known,
    retry: identityStore.check,
    signOut: identityStore.signOut,
    signOutEverywhere: identityStore.signOutEverywhere,
  };
}
