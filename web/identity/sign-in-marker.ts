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

/** Begins the name of whatever this tab keeps of what somebody who is signed in typed and did not send. */
export const typedWork = "typed-work:";

/** Forgets all of it: whoever signs in next in this tab may be somebody else. */
export function forgetTypedWork(store: Storage): void {
  const names = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  for (const name of names) if (name.startsWith(typedWork)) store.removeItem(name);
}
