import { useEffect, useSyncExternalStore } from "react";
import type { Identity } from "./identity-state.ts";
import { identityStore } from "./identity-store.ts";

/** Who is signed in. Asked for once a page load; every page that asks shares the answer. */
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
