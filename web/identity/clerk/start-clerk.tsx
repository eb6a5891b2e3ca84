import { ClerkFailed, ClerkLoaded, useClerk } from "@clerk/react";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";
import { WithinClerk } from "./within-clerk.tsx";

/** Clerk, once it is loaded: who is signed in, their tokens, and the way out. */
export type LoadedClerk = ReturnType<typeof useClerk>;

/**
 * Loads Clerk for as long as this page lives. It is asked for tokens by every request, wherever the reader is; so it lives beside the
 * app and not in one of its pages.
 * @throws Error when its scripts do not come, or its server does not answer; then it may be tried again
 */
export function startClerk(publishableKey: string): Promise<LoadedClerk> {
  return new Promise((resolve, reject) => {
    const root = createRoot(document.createElement("div"));
    const giveUp = (): void => {
      reject(new Error("Clerk could not be loaded."));
      // Not while it renders, which is when it tells.
      queueMicrotask(() => root.unmount());
    };
    root.render(
      <WithinClerk publishableKey={publishableKey}>
        <ClerkLoaded>
          <Loaded onLoaded={resolve} />
        </ClerkLoaded>
        <ClerkFailed>
          <Failed onFailed={giveUp} />
        </ClerkFailed>
      </WithinClerk>,
    );
  });
}

function Loaded({ onLoaded }: { onLoaded: (clerk: LoadedClerk) => void }) {
  const clerk = useClerk();
  useEffect(() => onLoaded(clerk), [clerk, onLoaded]);
  return null;
}

function Failed({ onFailed }: { onFailed: () => void }) {
  useEffect(onFailed, [onFailed]);
  return null;
}
