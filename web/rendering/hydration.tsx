import { type ComponentType, createContext, lazy, useContext, useState, useSyncExternalStore } from "react";

// Server and browser render the same HTML first.

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

/** A page, or a part of one, whose script is loaded on demand; `load` preloads it. */
export interface OnDemand<Props extends object = object> {
  Page: ComponentType<Props>;
  load: () => Promise<void>;
}

/**
 * A page, or a part of one, with a separate script. Once loaded it renders synchronously: on the server, which cannot
 * wait, and when hydrating, where a spinner would replace the server's HTML for a moment.
 */
export function onDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): OnDemand<Props> {
  const Lazy = lazy(load);
  let loaded: ComponentType<Props> | undefined;
  return {
    Page: function OnDemand(props: Props) {
      // Chosen once: a different component in the same place would lose the user's input.
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
      return <Chosen {...props} />;
    },
    load: async () => {
      loaded = (await load()).default;
    },
  };
}
