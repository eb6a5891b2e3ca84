import { useEffect, useSyncExternalStore } from "react";
import type { Identity } from "./identity-port.ts";
import { identityStore } from "./identity-store.ts";

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
