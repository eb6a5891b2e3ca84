import { hintNames } from "../api/credential-hints.ts";

/** Records that a sign-in happened here. A shortcut for /sign-in, and no proof: it can be forged. */
const markerKey = "clerk-authenticated";

export const isMarkedSignedIn = (): boolean => localStorage.getItem(markerKey) !== null;

export const markSignedIn = (): void => localStorage.setItem(markerKey, "true");

/** Stores the user's id as the hint sent with every request. */
export const rememberUserId = (userId: string): void => localStorage.setItem(hintNames.storageKey, userId);

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
export function forgetTypedWork(store: Storage): void {
  const names = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  for (const name of names) if (name.startsWith(typedWork)) store.removeItem(name);
}
