import { ClerkFailed, ClerkLoaded, ClerkProvider, useClerk } from "@clerk/react";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";
import { pages } from "../../paths.ts";
import { appearance } from "./appearance.ts";
import "./clerk.css";
import { styleNonce } from "./style-nonce.ts";

/** Clerk, once it is loaded: who is signed in, their tokens, and the ways in and out. */
export type LoadedClerk = ReturnType<typeof useClerk>;

/**
 * Loads Clerk, from the host that the publishable key names, for as long as this page lives. It is asked for tokens by every request,
 * wherever the reader is; so it lives beside the app and not in one of its pages.
 * @throws Error when its scripts do not come, or its server does not answer; then it may be tried again
 */
export function startClerk(publishableKey: string): Promise<LoadedClerk> {
  const nonce = styleNonce();
  return new Promise((resolve, reject) => {
    const root = createRoot(document.createElement("div"));
    const giveUp = (): void => {
      reject(new Error("Clerk could not be loaded."));
      // Not while it renders, which is when it tells.
      queueMicrotask(() => root.unmount());
    };
    root.render(
      <ClerkProvider
        publishableKey={publishableKey}
        appearance={appearance}
        signInUrl={pages.signIn}
        signUpUrl={pages.signUp}
        telemetry={false}
        {...(nonce === undefined ? {} : { nonce })}
      >
        <ClerkLoaded>
          <Loaded onLoaded={resolve} />
        </ClerkLoaded>
        <ClerkFailed>
          <Failed onFailed={giveUp} />
        </ClerkFailed>
      </ClerkProvider>,
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
