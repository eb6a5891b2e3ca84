import { hintNames } from "../api/credential-hints.ts";

/** Says that somebody once signed in here. A shortcut for /sign-in, and never a proof: anybody can write it. */
const markerKey = "clerk-authenticated";

export const isMarkedSignedIn = (): boolean => localStorage.getItem(markerKey) !== null;

export const markSignedIn = (): void => localStorage.setItem(markerKey, "true");

/** Remembers who signed in, as the hint that every request carries. */
export const rememberUserId = (userId: string): void => localStorage.setItem(hintNames.storageKey, userId);

/** Forgets user id and marker together: with the marker alone left, /sign-in would lead straight back. */
export function forgetSignIn(): void {
  localStorage.removeItem(markerKey);
  localStorage.removeItem(hintNames.storageKey);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store's own interface is missing in Safari and Firefox.
  document.cookie = `${hintNames.cookie}=; max-age=0; path=/; SameSite=Lax`;
}
