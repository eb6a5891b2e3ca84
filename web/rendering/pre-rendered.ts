import { createContext, useContext, useSyncExternalStore } from "react";

/** True in a page fully rendered by the server, which shows known data at once. */
export const PreRendered = createContext(false);

export const usePreRendered = (): boolean => useContext(PreRendered);

const never = () => () => undefined;

/**
 * False on the server and during hydration, true from then on. Content that depends on time or browser (today's
 * despatch, storage) waits for it, because server and browser must render the same HTML.
 */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
