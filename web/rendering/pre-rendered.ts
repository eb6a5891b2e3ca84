import { createContext, useContext, useSyncExternalStore } from "react";

/** True in a page that came from the server as a whole: it shows at once what it can know without asking. */
export const PreRendered = createContext(false);

export const usePreRendered = (): boolean => useContext(PreRendered);

const never = () => () => undefined;

/**
 * False on the server and while a browser takes over what the server rendered, true from then on. What depends on the
 * moment (today's despatch, the browser's storage) waits for it, because both must render the same.
 */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
